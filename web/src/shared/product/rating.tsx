// The mean of a product's reviews in one line. The server gives one from three reviews on.
import type { Product } from '~/api/types';
import { plural } from '~/lib/plural';
import { Stars } from '~/ui/graphics/stars';

type Rating = NonNullable<Product['rating']>;

/** '4.6' and '5.0', as on the stars beside it. */
export const formatStars = (value: number) => value.toFixed(1);

export function RatingLine({ rating, className = '' }: { rating: Rating | null; className?: string }) {
  if (!rating) return null;
  return (
    <p className={`flex items-center gap-1.5 text-sm ${className}`}>
      <Stars value={rating.value} />
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
    <a href="#reviews" className="group mt-2 inline-flex min-h-11 items-center gap-2">
      <Stars value={rating.value} className="text-xl" />
      <span className="font-semibold tabular-nums">{formatStars(rating.value)}</span>
      <span className="link text-ink-soft tabular-nums">{plural(rating.count, 'review')}</span>
    </a>
  );
}
