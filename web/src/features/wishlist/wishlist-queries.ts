// The wishlist as the program keeps it. The heart answers at once and goes back if the program refuses.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { askAgain } from '~/api/ask-again';
import { ApiError, apiGet, apiSend } from '~/api/client';
import { useSession } from '~/api/session';
import type { Cart, WishlistItem } from '~/api/types';
import { notify } from '~/ui/notify';
import { openLogin } from '~/ui/panels';

const KEY = ['wishlist'] as const;
type WishlistAnswer = { success: boolean; wishlist: WishlistItem[]; cart?: Cart };

const wishlistQuery = queryOptions({
  queryKey: KEY,
  queryFn: () => apiGet<WishlistAnswer>('/api/user/wishlist', 'Failed to load wishlist').then((body) => body.wishlist),
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

export function useHeart(productId: string) {
  const { items, authenticated } = useWishlist();
  const { add, remove } = useWishlistChanges();
  const isLoved = items.some((item) => item._id === productId);
  const toggle = () => {
    // Not known yet is not signed out: the program decides.
    if (authenticated === false) openLogin();
    else if (isLoved) remove.mutate(productId);
    else add.mutate(productId);
  };
  return { isLoved, toggle, busy: add.isPending || remove.isPending };
}

export function useWishlistChanges() {
  const client = useQueryClient();
  const path = (id: string) => `/api/user/wishlist/${encodeURIComponent(id)}`;
  const keep = ({ wishlist, cart }: WishlistAnswer) => {
    client.setQueryData<WishlistItem[]>(KEY, wishlist);
    if (cart) client.setQueryData<Cart>(['cart'], cart);
  };
  const show = (change: (items: WishlistItem[]) => WishlistItem[]) => async () => {
    await client.cancelQueries({ queryKey: KEY });
    const before = client.getQueryData<WishlistItem[]>(KEY) ?? [];
    client.setQueryData<WishlistItem[]>(KEY, change(before));
    return { before };
  };
  const takeBack = (before: WishlistItem[] | undefined, text: string) => {
    if (before) client.setQueryData<WishlistItem[]>(KEY, before);
    notify.error(text);
  };
  const without = (id: string) => (items: WishlistItem[]) => items.filter((item) => item._id !== id);

  const add = useMutation({
    mutationFn: (id: string) => apiSend<WishlistAnswer>(path(id), { method: 'POST' }, 'Failed to add to wishlist'),
    onMutate: (id) => show((items) => [...items, placeholder(id)])(),
    onSuccess: (answer) => {
      keep(answer);
      notify.success('Added to wishlist');
    },
    onError: (error, _id, context) => {
      if (error instanceof ApiError && error.status === 401) openLogin();
      else takeBack(context?.before, 'Failed to add to wishlist');
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      apiSend<WishlistAnswer>(path(id), { method: 'DELETE' }, 'Failed to remove from wishlist'),
    onMutate: (id) => show(without(id))(),
    onSuccess: (answer) => {
      keep(answer);
      notify.success('Removed from wishlist');
    },
    onError: (_error, _id, context) => takeBack(context?.before, 'Failed to remove from wishlist'),
  });
  const move = useMutation({
    mutationFn: (id: string) =>
      apiSend<WishlistAnswer>(
        `/api/user/wishlist/move-to-cart/${encodeURIComponent(id)}`,
        { method: 'POST' },
        'Failed to move to cart',
      ),
    onSuccess: (answer) => {
      keep(answer);
      if (!answer.cart) void askAgain(client, ['cart']);
      notify.success('Moved to cart');
    },
    onError: () => notify.error('Failed to move to cart'),
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
});
