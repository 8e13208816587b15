// What a customer does to the cart, and what they are told about it. Changes show at once and are taken back if the
// server rejects them; the queue sends them one after the other.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError, apiSend, textOf } from '~/api/client';
import { authenticatedNow, noticeSignedOut } from '~/api/session';
import { notify } from '~/ui/notify';
import { openLogin } from '~/ui/panels';
import { type CartResponse, keepCart, newestCart, refreshCart, tellOtherTabs } from './cart-queries';
import { type CartRequest, createCartQueue } from './cart-queue';
import { type PackCounts, pendingChanges, usePendingChanges } from './pending-changes';

const SIGN_IN_TO_ADD = 'Please login to add items to cart';
const SIGN_IN_TO_MANAGE = 'Please login to manage your cart';

type AddRequest = { productId: string } & PackCounts;
type Queue = ReturnType<typeof createCartQueue>;

export function useAddToCart({ logsFailure = false } = {}) {
  const client = useQueryClient();
  const changes = usePendingChanges();
  const addingIds = changes.flatMap((change) => (change.kind === 'add' ? [change.productId] : []));
  const add = (packs: AddRequest) => {
    if (authenticatedNow(client) === false) return askToSignIn(packs);
    queueOf(client).enqueue({ kind: 'add', logsFailure, ...packs });
  };
  return { add, addingIds };
}

export function useCartMutations() {
  const client = useQueryClient();
  const enqueue: Queue['enqueue'] = (change) => {
    if (authenticatedNow(client) === false) notify.error(SIGN_IN_TO_MANAGE);
    else queueOf(client).enqueue(change);
  };
  return {
    /** By how many packs a line grows or shrinks. A line without packs leaves the cart. */
    stepPacks: (productId: string, by: Partial<PackCounts>) =>
      enqueue({ kind: 'step', productId, qty_50g: 0, qty_100g: 0, ...by }),
    removeItem: (productId: string) => {
      if (productId) enqueue({ kind: 'remove', productId });
      else notify.error('Failed to remove item: Product ID is required to remove item from cart');
    },
    clear: () => enqueue({ kind: 'clear' }),
  };
}

const queues = new WeakMap<QueryClient, Queue>();

function queueOf(client: QueryClient): Queue {
  const known = queues.get(client);
  if (known) return known;
  const queue = createCartQueue(pendingChanges, {
    newest: () => newestCart(client),
    send: async (request) => keepCart(client, (await send(request)).cart),
    refresh: () => refreshCart(client),
    isConflict: (error) => error instanceof ApiError && error.status === 409,
    onDone: (request) => {
      tellOtherTabs(client);
      sayDone(request);
    },
    onError: (request, error) => {
      noticeSignedOut(client, error);
      if (isUnauthorized(error)) pendingChanges.set([]);
      sayFailed(request, error);
    },
  });
  queues.set(client, queue);
  return queue;
}

function send(request: CartRequest): Promise<CartResponse> {
  switch (request.kind) {
    case 'add': {
      const { kind: _, logsFailure: __, ...body } = request;
      return apiSend('/api/cart/add-to-cart', { method: 'POST', body }, 'Failed to add item to cart');
    }
    case 'update': {
      const { kind: _, ...body } = request;
      return apiSend('/api/cart/update', { method: 'PUT', body }, 'Failed to update cart');
    }
    case 'remove': {
      const path = `/api/cart/remove/${encodeURIComponent(request.productId)}`;
      return apiSend(path, { method: 'DELETE' }, 'Failed to remove item from cart');
    }
    case 'clear':
      return apiSend('/api/cart/api/cart/clear', { method: 'DELETE' }, 'Failed to clear cart');
  }
}

function sayDone({ kind }: CartRequest): void {
  if (kind === 'add') notify.success('Item added to cart successfully');
  else if (kind === 'remove') notify.success('Item removed from cart');
  else if (kind === 'clear') notify.success('Cart cleared successfully');
}

function sayFailed(request: CartRequest, error: unknown): void {
  if (isUnauthorized(error)) {
    if (request.kind === 'add') askToSignIn(request);
    else notify.error(SIGN_IN_TO_MANAGE);
  } else if (request.kind === 'add') {
    if (request.logsFailure) console.error(error);
    else notify.error(`Failed to add item: ${textOf(error, 'Failed to add item to cart')}`);
  } else if (request.kind === 'remove') {
    notify.error(`Failed to remove item: ${textOf(error, 'Failed to remove item from cart')}`);
  } else {
    notify.error(textOf(error, request.kind === 'clear' ? 'Failed to clear cart' : 'Failed to update cart'));
  }
}

function askToSignIn({ productId, qty_50g, qty_100g }: AddRequest): void {
  notify.error(SIGN_IN_TO_ADD);
  openLogin(`${productId}:${qty_50g}:${qty_100g}`);
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.message.includes('not authenticated'));
}
