// The head of an inner page: an optional word above, the title, an optional line below.
import type { ReactNode } from 'react';

export function PageTitle({ title, above, children }: { title: ReactNode; above?: ReactNode; children?: ReactNode }) {
  return (
    <div className="pt-10 pb-8 sm:pt-14">
      {above && <p className="devanagari devanagari-small mb-1 text-2xl text-chilli">{above}</p>}
      <h1 className="text-title">{title}</h1>
      {children && <div className="mt-3 max-w-2xl text-lg text-ink-soft">{children}</div>}
    </div>
  );
}
