// How hot a product tastes: up to three chillies, or 'Not hot'.
import type { Product } from '~/api/types';

type Heat = NonNullable<Product['heat']>;

const levels: Heat[] = ['none', 'mild', 'medium', 'hot'];

export function HeatMark({ heat, className = 'h-4' }: { heat: Product['heat']; className?: string }) {
  if (!heat) return null;
  // Three empty chillies would say nothing.
  if (heat === 'none') return <span className="text-sm text-ink-soft">Not hot</span>;
  return (
    <svg viewBox="0 0 54 18" className={`w-auto text-chilli ${className}`} role="img" aria-label={`Heat: ${heat}`}>
      {[0, 18, 36].map((x, at) => (
        <path
          key={x}
          transform={`translate(${x})`}
          d="M11.500 4.500c2 0 3.500 1.400 3.500 3.400 0 4.600-5 8.100-12 8.100 3.600-1.800 4.700-4.300 5.300-7.300.5-2.600 1.500-4.200 3.200-4.200zM12 4.500c0-1.500.8-2.600 2.300-3"
          fill={at < levels.indexOf(heat) ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeOpacity={at < levels.indexOf(heat) ? 1 : 0.55}
          strokeWidth="1.3"
          strokeLinecap="round"
        />
      ))}
    </svg>
  );
}
