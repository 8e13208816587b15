// The reviews section: what customers wrote, newest first. The shop can reply and hide abuse, but not change a review.
import { useQuery } from '@tanstack/react-query';
import { plural } from '~/lib/format';
import { Button } from '~/ui/button';
import { AdminSection } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { EmptyList, PagedList } from '../console/paged-list';
import { useAdminUrl } from '../console/url-state';
import { ReviewEntry } from './review-entry';
import { FILTER_LABELS, type ReviewFilter, reviewsQuery, reviewsUrl } from './review-queries';

export function ReviewsSection() {
  const { query, go } = useAdminUrl();
  const { state: filter, page } = reviewsUrl.read(query);
  const list = useQuery(reviewsQuery(filter, page));

  const show = (state: ReviewFilter, next = 1, how?: { replace?: boolean }) =>
    go(reviewsUrl.write({ state, page: next }), how);

  return (
    <AdminSection title="Reviews" count={list.data && plural(list.data.total, 'review')}>
      <ChoiceFilter labels={FILTER_LABELS} chosen={filter} onChange={(state) => show(state)} />
      <div className="mt-5">
        <PagedList
          noun="reviews"
          list={list}
          items={list.data?.reviews ?? []}
          page={page}
          empty={
            <EmptyList
              text={filter === 'all' ? 'No reviews yet.' : 'No such reviews.'}
              action={
                filter !== 'all' && (
                  <Button variant="ghost" className="mt-3" onClick={() => show('all')}>
                    Show all reviews
                  </Button>
                )
              }
            />
          }
          onPage={(next, how) => show(filter, next, how)}
        >
          {(review) => <ReviewEntry review={review} />}
        </PagedList>
      </div>
    </AdminSection>
  );
}
