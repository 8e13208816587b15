// Loading and empty states.
import type { ReactNode } from 'react';
import { ButtonLink } from '../button';
import { RangoliSun } from '../graphics/rangoli';
import { Skeleton } from './skeleton';

export { Skeleton };

/** `children` are placeholder shapes; `text` is for screen readers. */
export function Loading({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div>
      <p role="status" className="sr-only">
        {text}
      </p>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

export function CardSkeletons({ count, className }: { count: number; className: string }) {
  return (
    <div className={className}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <Skeleton className="aspect-[4/5] !rounded-lg" />
          <Skeleton className="mt-4 h-5 w-3/4" />
          <Skeleton className="mt-2 h-4 w-1/3" />
        </div>
      ))}
    </div>
  );
}

export function EmptyState({
  text,
  hint,
  action,
}: {
  text: string;
  hint?: string;
  action?: { to: string; label: string };
}) {
  return (
    <div className="flex flex-col items-center px-4 py-16 text-center">
      <RangoliSun className="w-36 text-line-strong" />
      <p className="mt-6 font-display text-heading">{text}</p>
      {hint && <p className="mt-2 max-w-sm text-ink-soft">{hint}</p>}
      {action && (
        <ButtonLink to={action.to} className="mt-6">
          {action.label}
        </ButtonLink>
      )}
    </div>
  );
}
