// The mean of a product's reviews in one line. The server gives one from three reviews on.
import type { Product } from '~/api/types';
import { plural } from '~/lib/plural';
import { Stars } from '~/ui/graphics/stars';

type Rating = NonNullable<Product['rating']>;

/** '4.6' and '5.0', as on the stars beside it. */
export const formatStars = (value: number) => value.toFixed(1);

type LineProps = {
  rating: Rating | null;
  /** For a card of a third of a phone's width: one star in place of five. */
  compact?: boolean | undefined;
  className?: string;
};

export function RatingLine({ rating, compact, className = '' }: LineProps) {
  if (!rating) return null;
  return (
    <p className={`flex flex-wrap items-center gap-x-1.5 text-sm ${className}`}>
      <Stars value={rating.value} className={compact ? 'stars-compact' : ''} />
      <span aria-hidden="true" className="font-semibold tabular-nums">
        {formatStars(rating.value)}
      </span>
      <span className="text-ink-soft tabular-nums">
        ({rating.count}
        <span className="sr-only"> {plural(rating.count, 'review').replace(/^\S+ /, '')}</span>)
      </span>
    </p>
  );
}

/** On the page of the product: leads to its reviews. */
export function RatingLink({ rating }: { rating: Rating | null }) {
  if (!rating) return null;
  return (
    <a href="#reviews" className="group mt-2 inline-flex min-h-11 flex-wrap items-center gap-x-2">
      <Stars value={rating.value} className="text-xl" />
      <span className="font-semibold tabular-nums">{formatStars(rating.value)}</span>
      <span className="link text-ink-soft tabular-nums">{plural(rating.count, 'review')}</span>
    </a>
  );
}
