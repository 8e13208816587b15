// Changes of the cart, with their messages. A change shows at once and is reverted if the server rejects it; the queue
// sends changes one after the other.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { del, post, put } from '~/api/client';
import { errorMessage, hasCode, isUnauthorized } from '~/api/error';
import { openLogin } from '~/shared/auth/overlay-store';
import { handleUnauthorized, isAuthenticated } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';
import { newestCart, refreshCart, saveCart } from './cart-queries';
import { type CartRequest, createCartQueue } from './cart-queue';
import { type PackCounts, pendingChanges, usePendingChanges } from './pending-changes';

const SIGN_IN_TO_ADD = 'Please login to add items to cart';
const SIGN_IN_TO_MANAGE = 'Please login to manage your cart';

type AddRequest = { productId: string } & PackCounts;
type Queue = ReturnType<typeof createCartQueue>;

export function useAddToCart({ logsFailure = false, sendsQuantity = false } = {}) {
  const client = useQueryClient();
  const changes = usePendingChanges();
  const addingIds = changes.flatMap((change) => (change.kind === 'add' ? [change.productId] : []));
  const add = (packs: AddRequest) => {
    if (isAuthenticated(client) === false) return promptSignIn(packs);
    queueOf(client).enqueue({ kind: 'add', logsFailure, sendsQuantity, ...packs });
  };
  return { add, addingIds };
}

export function useCartMutations() {
  const client = useQueryClient();
  const enqueue: Queue['enqueue'] = (change) => {
    if (isAuthenticated(client) === false) toast.error(SIGN_IN_TO_MANAGE);
    else queueOf(client).enqueue(change);
  };
  return {
    /** By how many packs a line grows or shrinks. A line without packs leaves the cart. */
    stepPacks: (productId: string, by: Partial<PackCounts>) =>
      enqueue({ kind: 'step', productId, qty_50g: 0, qty_100g: 0, ...by }),
    removeItem: (productId: string) => {
      if (productId) enqueue({ kind: 'remove', productId });
      else toast.error('Failed to remove item: Product ID is required to remove item from cart');
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
    send: async (request) => saveCart(client, (await send(request)).cart),
    refresh: () => refreshCart(client),
    isCartChanged: (error) => hasCode(error, 'cart_changed'),
    onDone: notifyDone,
    onError: (request, error) => {
      handleUnauthorized(client, error);
      if (isUnauthorized(error)) pendingChanges.set([]);
      notifyFailed(request, error);
    },
  });
  queues.set(client, queue);
  return queue;
}

function send(request: CartRequest) {
  switch (request.kind) {
    case 'add': {
      const { productId, qty_50g, qty_100g, sendsQuantity } = request;
      const body =
        sendsQuantity && qty_100g === 0 ? { productId, quantity: qty_50g } : { productId, qty_50g, qty_100g };
      return post('/api/cart/add-to-cart', { body, fallback: 'Failed to add item to cart' });
    }
    case 'update': {
      const { kind: _, ...body } = request;
      return put('/api/cart/update', { body, fallback: 'Failed to update cart' });
    }
    case 'remove': {
      const { productId } = request;
      return del('/api/cart/remove/{productId}', { path: { productId }, fallback: 'Failed to remove item from cart' });
    }
    case 'clear':
      return del('/api/cart/api/cart/clear', { fallback: 'Failed to clear cart' });
  }
}

function notifyDone({ kind }: CartRequest): void {
  if (kind === 'add') toast.success('Item added to cart successfully');
  else if (kind === 'remove') toast.success('Item removed from cart');
  else if (kind === 'clear') toast.success('Cart cleared successfully');
}

function notifyFailed(request: CartRequest, error: unknown): void {
  if (isUnauthorized(error)) {
    if (request.kind === 'add') promptSignIn(request);
    else toast.error(SIGN_IN_TO_MANAGE);
  } else if (request.kind === 'add') {
    if (request.logsFailure) console.error(error);
    else toast.error(`Failed to add item: ${errorMessage(error, 'Failed to add item to cart')}`);
  } else if (request.kind === 'remove') {
    toast.error(`Failed to remove item: ${errorMessage(error, 'Failed to remove item from cart')}`);
  } else {
    toast.error(errorMessage(error, request.kind === 'clear' ? 'Failed to clear cart' : 'Failed to update cart'));
  }
}

function promptSignIn({ productId, qty_50g, qty_100g }: AddRequest): void {
  toast.error(SIGN_IN_TO_ADD);
  openLogin(`${productId}:${qty_50g}:${qty_100g}`);
}
