// The title of a section: a word in Devanagari above, the title, a line below.
import type { ReactNode } from 'react';

type Props = { devanagari?: string; title: string; children?: ReactNode; tone?: string };

export function SectionTitle({ devanagari, title, children, tone = 'text-chilli' }: Props) {
  return (
    <>
      {devanagari && (
        <p lang="hi" className={`devanagari devanagari-deferred devanagari-small text-xl sm:text-2xl ${tone}`}>
          <span>{devanagari}</span>
        </p>
      )}
      <h2 className="text-title">{title}</h2>
      {children && <p className="mt-2 max-w-xl text-lg opacity-85">{children}</p>}
    </>
  );
}
