// A part above a list. On a phone or a tablet it is folded to one line, so that the list comes first.
import type { ReactNode } from 'react';
import { Icon } from '~/ui/graphics/more-icons';
import { useIsTablet } from './screen-width';

type Props = {
  /** One line. */
  title: ReactNode;
  /** What was followed to here is inside. */
  isOpen?: boolean;
  className?: string;
  children: ReactNode;
};

export function Fold({ title, isOpen = false, className = '', children }: Props) {
  if (!useIsTablet()) {
    return (
      <div className={className}>
        <div className="flex items-center gap-2">{title}</div>
        {children}
      </div>
    );
  }
  return (
    <details open={isOpen || undefined} className={`group/fold ${className}`}>
      <summary className="-my-3 flex min-h-11 items-center gap-2 [&::-webkit-details-marker]:hidden">
        {title}
        <Icon name="down" className="ml-auto size-4 shrink-0 transition group-open/fold:rotate-180" />
      </summary>
      <div className="mt-4">{children}</div>
    </details>
  );
}
