// A section of the admin area: its heading, beside it what it counts and its actions, and its content.
import type { ReactNode } from 'react';
import { Spinner } from '~/ui/button';

type Props = {
  title: string;
  /** How many there are, such as '12 orders'; nothing until it is known. */
  count?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function AdminSection({ title, count, actions, className, children }: Props) {
  return (
    <section aria-labelledby="section-title" className={className}>
      <div data-head className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 id="section-title" className="text-heading">
          {title}
        </h1>
        {count && <p className="text-ink-soft tabular-nums">{count}</p>}
        {actions}
      </div>
      {children}
    </section>
  );
}

/** In place of the content: 'Loading orders...'. */
export function SectionLoading({ text }: { text: string }) {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-20 text-ink-soft">
      <Spinner className="size-5" />
      {text}
    </p>
  );
}
