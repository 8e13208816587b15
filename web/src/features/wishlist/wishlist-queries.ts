// Queries and mutations of the wishlist. A change shows at once and is reverted if the server rejects it.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { del, get, post } from '~/api/client';
import { isUnauthorized } from '~/api/error';
import { userKeys } from '~/api/queries/query-keys';
import { cancelAndInvalidate } from '~/api/queries/refetch';
import type { WishlistItem, WishlistResponse } from '~/api/types';
import { openLogin } from '~/shared/auth/overlay-store';
import { useSession } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';

const wishlistQuery = queryOptions({
  queryKey: userKeys.wishlist,
  queryFn: () => get('/api/user/wishlist', { fallback: 'Failed to load wishlist' }).then((body) => body.wishlist),
  staleTime: 30_000,
  retry: false,
});

export function useWishlist() {
  const { authenticated, checking } = useSession();
  const query = useQuery({ ...wishlistQuery, enabled: authenticated === true });
  return {
    // After a failed load the list is empty, as it is for a visitor.
    items: (authenticated && !query.isError && query.data) || [],
    loading: checking || query.isLoading,
    failed: query.isError,
    retry: query.refetch,
    authenticated,
  };
}

export function useWishlistToggle(productId: string) {
  const { items, authenticated } = useWishlist();
  const { add, remove } = useWishlistMutations();
  const isInWishlist = items.some((item) => item._id === productId);
  const toggle = () => {
    // Not known yet is not signed out: the server decides.
    if (authenticated === false) openLogin();
    else if (isInWishlist) remove.mutate(productId);
    else add.mutate(productId);
  };
  return { isInWishlist, toggle, busy: add.isPending || remove.isPending };
}

export function useWishlistMutations() {
  const client = useQueryClient();
  const save = ({ wishlist }: WishlistResponse) => {
    client.setQueryData<WishlistItem[]>(userKeys.wishlist, wishlist);
  };
  const show = (change: (items: WishlistItem[]) => WishlistItem[]) => async () => {
    await client.cancelQueries({ queryKey: userKeys.wishlist });
    const before = client.getQueryData<WishlistItem[]>(userKeys.wishlist) ?? [];
    client.setQueryData<WishlistItem[]>(userKeys.wishlist, change(before));
    return { before };
  };
  const revert = (before: WishlistItem[] | undefined, text: string) => {
    if (before) client.setQueryData<WishlistItem[]>(userKeys.wishlist, before);
    toast.error(text);
  };
  const without = (id: string) => (items: WishlistItem[]) => items.filter((item) => item._id !== id);

  const add = useMutation({
    mutationFn: (id: string) =>
      post('/api/user/wishlist/{id}', { path: { id }, fallback: 'Failed to add to wishlist' }),
    onMutate: (id) => show((items) => [...items, placeholder(id)])(),
    onSuccess: (response) => {
      save(response);
      toast.success('Added to wishlist');
    },
    onError: (error, _id, context) => {
      if (isUnauthorized(error)) openLogin();
      else revert(context?.before, 'Failed to add to wishlist');
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      del('/api/user/wishlist/{id}', { path: { id }, fallback: 'Failed to remove from wishlist' }),
    onMutate: (id) => show(without(id))(),
    onSuccess: (response) => {
      save(response);
      toast.success('Removed from wishlist');
    },
    onError: (_error, _id, context) => revert(context?.before, 'Failed to remove from wishlist'),
  });
  const move = useMutation({
    mutationFn: (id: string) =>
      post('/api/user/wishlist/move-to-cart/{id}', { path: { id }, fallback: 'Failed to move to cart' }),
    onSuccess: (response) => {
      save(response);
      void cancelAndInvalidate(client, userKeys.cart);
      toast.success('Moved to cart');
    },
    onError: () => toast.error('Failed to move to cart'),
  });
  return { add, remove, move };
}

const placeholder = (id: string): WishlistItem => ({
  _id: id,
  id,
  product_name: '',
  name: '',
  images: [],
  image: '',
  mrp: [],
  price: null,
  packs_left: 1,
});
