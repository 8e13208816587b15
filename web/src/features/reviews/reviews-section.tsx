// The reviews of a product: their distribution, one's own, and the list, newest or most helpful first.
import { useId, useState } from 'react';
import { errorMessage } from '~/api/error';
import type { ReviewPage } from '~/api/types';
import { plural } from '~/lib/plural';
import { formatStars } from '~/shared/product/rating';
import { Button, ButtonLink } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { Stars } from '~/ui/graphics/stars';
import { ReviewItem } from './review-item';
import { type ReviewSort, useOwnReviews, useReviews } from './review-queries';

export type ReviewsProps = { productId: string; name: string };

export function ReviewsSection({ productId, name }: ReviewsProps) {
  const [sort, setSort] = useState<ReviewSort>('newest');
  const list = useReviews(productId, sort);
  const reviews = list.data?.pages.flatMap((page) => page.reviews) ?? [];
  const summary = list.data?.pages[0];
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="page-width mt-20 scroll-mt-28 sm:mt-28">
      <h2 id="reviews-title" className="text-title">
        Reviews
      </h2>
      <div className="mt-8 grid gap-x-16 gap-y-10 lg:grid-cols-[20rem_1fr]">
        <div className="space-y-7">
          {summary && summary.total > 0 && <Summary page={summary} />}
          <OwnReview productId={productId} name={name} />
        </div>
        <div>
          {summary && summary.total > 1 && <SortChoice sort={sort} onChange={setSort} />}
          {list.isPending ? (
            <Loading text="Loading reviews...">
              <Skeleton className="h-40 w-full !rounded-lg" />
            </Loading>
          ) : list.isError && !list.data ? (
            <ErrorState
              message={errorMessage(list.error, 'Failed to fetch reviews')}
              onRetry={() => void list.refetch()}
            />
          ) : reviews.length === 0 ? (
            <p className="rounded-lg border border-dashed border-line-strong px-6 py-10 text-center text-lg text-ink-soft">
              No reviews yet. Those who receive it can write the first one.
            </p>
          ) : (
            <>
              <ul aria-label="List of reviews" className="divide-y divide-line">
                {reviews.map((review) => (
                  <li key={review._id}>
                    <ReviewItem review={review} productId={productId} />
                  </li>
                ))}
              </ul>
              {list.hasNextPage && (
                <Button
                  variant="secondary"
                  className="mt-6"
                  busy={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  Show more reviews
                </Button>
              )}
              {list.isFetchNextPageError && (
                <p role="alert" className="mt-3 font-semibold text-chilli">
                  {errorMessage(list.error, 'Failed to fetch reviews')}
                </p>
              )}
            </>
          )}
        </div>
      </div>
    </section>
  );
}

function Summary({ page: { rating, distribution, total } }: { page: ReviewPage }) {
  return (
    <div>
      {rating && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="font-display text-6xl leading-none tabular-nums">{formatStars(rating.value)}</span>
          <span>
            <Stars value={rating.value} className="text-2xl" />
            <span className="block text-ink-soft tabular-nums">{plural(total, 'review')}</span>
          </span>
        </p>
      )}
      <dl className={`grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1.5 ${rating ? 'mt-5' : ''}`}>
        {[5, 4, 3, 2, 1].map((stars) => {
          const count = distribution[stars - 1] ?? 0;
          return (
            <div key={stars} className="contents">
              <dt className="text-sm whitespace-nowrap tabular-nums">{plural(stars, 'star')}</dt>
              <dd aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-paper-deep">
                <span
                  className="block h-full rounded-full bg-[var(--star)]"
                  style={{ width: `${Math.round((count / total) * 100)}%` }}
                />
              </dd>
              <dd className="min-w-6 text-right text-sm text-ink-soft tabular-nums">{count}</dd>
            </div>
          );
        })}
      </dl>
      <p className="mt-4 text-sm text-ink-soft">
        Only customers who received the product can review it. We hide abuse, and nothing else.
      </p>
    </div>
  );
}

/** For a signed-in customer who received the product. */
function OwnReview({ productId, name }: ReviewsProps) {
  const { data: own } = useOwnReviews(productId);
  const review = own?.reviews[0];
  const to = `/review?product=${encodeURIComponent(productId)}`;
  if (own?.canReview) {
    return (
      <ButtonLink to={to} className="w-full">
        Review {name}
      </ButtonLink>
    );
  }
  if (!review) return null;
  return (
    <div className="rounded-lg bg-paper-deep p-5">
      <h3 className="font-semibold">Your review</h3>
      <p className="mt-1.5">
        <Stars value={review.stars} />
      </p>
      {review.hiddenReason !== null && (
        <p className="mt-2 text-sm text-chilli">We have hidden it: {review.hiddenReason}</p>
      )}
      <ButtonLink to={to} variant="secondary" size="sm" className="mt-3">
        Change your review
      </ButtonLink>
    </div>
  );
}

const sortLabels: Record<ReviewSort, string> = { newest: 'Newest first', helpful: 'Most helpful first' };

function SortChoice({ sort, onChange }: { sort: ReviewSort; onChange: (sort: ReviewSort) => void }) {
  const name = useId();
  return (
    <fieldset className="mb-2 flex flex-wrap gap-2">
      <legend className="sr-only">Order of the reviews</legend>
      {(Object.keys(sortLabels) as ReviewSort[]).map((each) => (
        <label
          key={each}
          className="relative inline-flex min-h-11 items-center rounded-full border border-line-strong px-4 text-[0.9375rem] font-semibold transition hover:bg-paper-deep has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-chilli"
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            checked={each === sort}
            onChange={() => onChange(each)}
          />
          {sortLabels[each]}
        </label>
      ))}
    </fieldset>
  );
}
