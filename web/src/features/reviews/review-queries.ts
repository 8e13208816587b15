// Queries and mutations of reviews.
import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { del, get, post, put } from '~/api/client';
import { isUnauthorized } from '~/api/error';
import { reviewsQuery } from '~/api/queries/catalogue';
import { publicKeys, userKeys } from '~/api/queries/query-keys';
import type { OwnReviews, ReviewPage } from '~/api/types';
import { postForm, putForm } from '~/api/upload';
import { openLogin } from '~/shared/auth/overlay-store';
import { useSession } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';
import { type ReviewDraft, reviewForm } from './review-draft';

export type ReviewSort = 'newest' | 'helpful';

const PATH = '/api/products/{id}/reviews';
const STALE_TIME_MS = 30_000;

const listOptions = (id: string, sort: ReviewSort) =>
  infiniteQueryOptions({
    queryKey: publicKeys.reviewList(id, sort),
    queryFn: ({ pageParam }) =>
      get(PATH, { path: { id }, query: { sort, page: pageParam }, fallback: 'Failed to fetch reviews' }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    staleTime: STALE_TIME_MS,
  });

/** The newest reviews begin with those that the server has rendered. */
export function useReviews(id: string, sort: ReviewSort) {
  const client = useQueryClient();
  const first = client.getQueryState<ReviewPage | null>(reviewsQuery(id).queryKey);
  const rendered = sort === 'newest' ? first?.data : undefined;
  return useInfiniteQuery({
    ...listOptions(id, sort),
    initialData: rendered ? { pages: [rendered], pageParams: [1] } : undefined,
    initialDataUpdatedAt: first?.dataUpdatedAt,
  });
}

export const ownReviewsQuery = (productId: string) =>
  queryOptions({
    queryKey: userKeys.reviewsOf(productId),
    queryFn: () => get('/api/user/reviews', { query: { productId }, fallback: 'Failed to load your review' }),
    staleTime: STALE_TIME_MS,
    retry: false,
  });

/** What the signed-in user can do with the reviews of a product. */
export function useOwnReviews(productId: string) {
  const { authenticated, checking } = useSession();
  const query = useQuery({ ...ownReviewsQuery(productId), enabled: authenticated === true });
  return { ...query, authenticated, checking };
}

/** The vote shows at once and is reverted if the server rejects it. */
export function useVote(productId: string) {
  const client = useQueryClient();
  const ownKey = userKeys.reviewsOf(productId);
  const show = (id: string, helpful: boolean) => {
    client.setQueryData<OwnReviews>(
      ownKey,
      (own) => own && { ...own, helpful: [...own.helpful.filter((one) => one !== id), ...(helpful ? [id] : [])] },
    );
    count(id, (votes) => votes + (helpful ? 1 : -1));
  };
  const count = (id: string, change: (votes: number) => number) => {
    for (const sort of ['newest', 'helpful']) {
      client.setQueryData<InfiniteData<ReviewPage>>(
        publicKeys.reviewList(productId, sort),
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              reviews: page.reviews.map((one) => (one._id === id ? { ...one, helpful: change(one.helpful) } : one)),
            })),
          },
      );
    }
  };
  return useMutation({
    mutationFn: ({ id, helpful }: { id: string; helpful: boolean }) =>
      put('/api/user/reviews/{id}/helpful', { path: { id }, body: { helpful }, fallback: 'Failed to save your vote' }),
    onMutate: async ({ id, helpful }) => {
      // A response that was sent before the vote would show it as not given.
      await client.cancelQueries({ queryKey: ownKey });
      show(id, helpful);
    },
    onSuccess: ({ helpful }, { id }) => count(id, () => helpful),
    onError: (error, { id, helpful }) => {
      show(id, !helpful);
      if (isUnauthorized(error)) openLogin();
      else toast.error(error.message);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ownKey }),
  });
}

/** After a change of a review: its product's rating is in every list. */
function useReloadReviews() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: userKeys.reviews });
    void client.invalidateQueries({ queryKey: publicKeys.catalogue });
  };
}

/** Publishes a new review, or changes the one with this id. */
export function useSaveReview(productId: string, id: string | undefined) {
  const [progress, setProgress] = useState(0);
  const reload = useReloadReviews();
  const save = useMutation({
    mutationFn: (draft: ReviewDraft) => {
      const options = { fallback: 'Failed to save your review', onProgress: setProgress };
      const form = reviewForm(productId, draft, id !== undefined);
      return id === undefined
        ? postForm('/api/user/reviews', { form, ...options })
        : putForm('/api/user/reviews/{id}', { path: { id }, form, ...options });
    },
    onMutate: () => setProgress(0),
    // Also after an error: another tab may have published it.
    onSettled: reload,
  });
  return { save, progress };
}

export function useDeleteReview(id: string) {
  const reload = useReloadReviews();
  return useMutation({
    mutationFn: () => del('/api/user/reviews/{id}', { path: { id }, fallback: 'Failed to delete your review' }),
    onSuccess: () => toast.success('Your review is deleted'),
    onError: (error) => toast.error(error.message),
    onSettled: reload,
  });
}

/** What the link of an email shows. */
export const requestedReviewsQuery = (token: string) =>
  queryOptions({
    queryKey: publicKeys.reviewRequest(token),
    queryFn: () => get('/api/review-requests', { query: { token }, fallback: 'Failed to open the link' }),
    enabled: token !== '',
    retry: false,
  });

export function useStopRequests(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => post('/api/review-requests/stop', { body: { token }, fallback: 'Failed to save this' }),
    onSettled: () => client.invalidateQueries({ queryKey: publicKeys.reviewRequest(token) }),
  });
}
