// The reviews section: what customers wrote, newest first. The shop can answer and hide abuse, but not change a review.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { errorMessage } from '~/api/error';
import { Button, Spinner } from '~/ui/button';
import { ErrorState } from '~/ui/error-state';
import { plural } from '~/ui/format';
import { ChoiceFilter } from '../shared/choice-filter';
import { Pagination } from '../shared/pagination';
import { parsePage, useAdminUrl } from '../shared/url-state';
import { ReviewEntry } from './review-entry';
import { FILTER_LABELS, type ReviewFilter, reviewFilter, reviewsQuery } from './review-queries';

export function ReviewsSection() {
  const { query, go } = useAdminUrl();
  const filter = reviewFilter(query);
  const page = parsePage(query.get('page'));
  const list = useQuery(reviewsQuery(filter, page));
  const reviews = list.data?.reviews ?? [];
  const pages = Math.max(1, list.data?.pages ?? 1);

  const show = (state: ReviewFilter, next = 1, how?: { replace?: boolean }) =>
    go({ state: state === 'all' ? undefined : state, page: next > 1 ? String(next) : undefined }, how);

  // The last review of the last page was answered or hidden, or the URL names a page that does not exist.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && page > pages;
  const goBack = useEffectEvent(() => show(filter, pages, { replace: true }));
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);

  return (
    <section aria-labelledby="section-title">
      <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 id="section-title" className="text-heading">
          Reviews
        </h1>
        {list.data && <p className="text-ink-soft tabular-nums">{plural(list.data.total, 'review')}</p>}
      </div>
      <ChoiceFilter labels={FILTER_LABELS} chosen={filter} onChange={(state) => show(state)} />
      <div className="mt-5">
        {list.isPending ? (
          <p role="status" className="flex items-center justify-center gap-3 py-20 text-ink-soft">
            <Spinner className="size-5" />
            Loading reviews...
          </p>
        ) : list.isError && !list.data ? (
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch reviews')}
            onRetry={() => void list.refetch()}
          />
        ) : reviews.length === 0 ? (
          <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
            <p role="status" className="text-lg">
              {filter === 'all' ? 'No reviews yet.' : 'No such reviews.'}
            </p>
            {filter !== 'all' && (
              <Button variant="ghost" className="mt-3" onClick={() => show('all')}>
                Show all reviews
              </Button>
            )}
          </div>
        ) : (
          <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition' : ''}>
            {list.isError && (
              <p role="alert" className="mb-3 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">
                {errorMessage(list.error, 'Failed to fetch reviews')}
              </p>
            )}
            <ul aria-label="List of reviews" className="grid gap-4">
              {reviews.map((review) => (
                <li key={review._id}>
                  <ReviewEntry review={review} />
                </li>
              ))}
            </ul>
            <Pagination
              label="Pages of reviews"
              page={Math.min(page, pages)}
              pages={pages}
              onPage={(next) => show(filter, next)}
            />
          </div>
        )}
      </div>
    </section>
  );
}
