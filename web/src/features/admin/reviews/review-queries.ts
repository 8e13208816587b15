// Reviews for admins: the list, replies, hiding.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, put } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import { publicKeys } from '~/api/queries/query-keys';
import { keyOf, pageNumber, urlFilter } from '~/lib/router/url-filter';
import { toast } from '~/ui/feedback/toast';

export const REVIEWS_PER_PAGE = 20;

export const FILTER_LABELS = {
  all: 'All',
  unanswered: 'Without a reply',
  critical: '1 or 2 stars',
  hidden: 'Hidden',
};
export type ReviewFilter = keyof typeof FILTER_LABELS;

export const reviewsUrl = urlFilter({ state: keyOf(FILTER_LABELS, 'all'), page: pageNumber });

export const reviewsQuery = (state: ReviewFilter, page: number) =>
  queryOptions({
    queryKey: adminKeys.reviewPage(state, page),
    queryFn: () =>
      get('/api/admin/reviews', {
        query: { state, page, limit: REVIEWS_PER_PAGE },
        fallback: 'Failed to fetch reviews',
      }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: 60_000,
    retry: false,
  });

type Change = { reply?: string; hidden?: boolean; reason?: string };

function doneText({ reply, hidden }: Change): string {
  if (reply !== undefined) return reply.trim() ? 'Reply published' : 'Reply deleted';
  return hidden ? 'Review hidden' : 'The review is visible again';
}

export function useModerateReview(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      put('/api/admin/reviews/{id}', {
        path: { id },
        body: { reason: '', ...change },
        fallback: 'Failed to change the review',
      }),
    onSuccess: (_response, change) => toast.success(doneText(change)),
    onSettled: () => {
      for (const queryKey of [adminKeys.reviews, adminKeys.auditLogs, publicKeys.catalogue])
        void client.invalidateQueries({ queryKey });
    },
  });
}
