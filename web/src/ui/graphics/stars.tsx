// One to five stars, also with tenths. The shape is a mask in components.css: one element for all five.
import type { CSSProperties } from 'react';

export function Stars({ value, className = '' }: { value: number; className?: string }) {
  return (
    <span
      role="img"
      aria-label={`${value} of 5 stars`}
      className={`stars ${className}`}
      style={{ '--filled': `${value * 20}%` } as CSSProperties}
    />
  );
}
