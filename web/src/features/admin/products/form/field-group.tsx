// A titled part of the product form.
import type { ReactNode } from 'react';

export function FieldGroup({
  title,
  wide,
  columns = 'sm:grid-cols-2',
  children,
}: {
  title: string;
  wide?: boolean;
  columns?: string;
  children: ReactNode;
}) {
  return (
    <section className="rounded-lg border border-line bg-surface p-4 sm:p-5">
      <h2 className="mb-3 text-name">{title}</h2>
      <div className={wide ? 'space-y-4' : `grid items-start gap-x-4 gap-y-4 ${columns}`}>{children}</div>
    </section>
  );
}
