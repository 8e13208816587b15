// A select with the arrow of the shop instead of the browser's own.
import type { SelectHTMLAttributes } from 'react';
import { Icon } from '../graphics/more-icons';

export function SelectBox({ className = '', ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <div className="relative">
      <select className={`appearance-none pr-10! ${className}`} {...rest} />
      <Icon name="down" className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2" />
    </div>
  );
}
