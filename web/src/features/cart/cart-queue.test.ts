import { describe, expect, it } from 'vitest';
import type { Cart, CartItem } from '~/api/types';
import { type CartRequest, createCartQueue } from './cart-queue';
import { createPendingChanges, withChanges } from './pending-changes';

const line = (productId: string, qty_50g: number, qty_100g = 0) => ({ productId, qty_50g, qty_100g }) as CartItem;
const cartOf = (version: number, ...items: CartItem[]): Cart => ({
  items,
  version,
  totalPacks: items.reduce((sum, item) => sum + item.qty_50g + item.qty_100g, 0),
  totalAmount: 0,
  discountCode: null,
  discountAmount: 0,
  discountNotice: null,
});
const conflict = new Error('cart_changed');
const step = (qty_50g: number, productId = 'goda', qty_100g = 0) => ({
  kind: 'step' as const,
  productId,
  qty_50g,
  qty_100g,
});
const add = (productId: string, qty_50g: number) => ({
  kind: 'add' as const,
  productId,
  qty_50g,
  qty_100g: 0,
  logsFailure: false,
  sendsQuantity: false,
});

/** A server whose responses come when the test says so. */
function setUp(cart: Cart) {
  let newest = cart;
  const pending = createPendingChanges();
  const sent: CartRequest[] = [];
  const failed: unknown[] = [];
  let settle: { resolve: (cart: Cart) => void; reject: (error: Error) => void } | undefined;
  const shop = {
    sent,
    failed,
    refreshed: 0,
    /** The cart that a refresh reads. */
    stored: undefined as Cart | undefined,
    queue: createCartQueue(pending, {
      newest: () => newest,
      send: (request) => {
        expect(settle, 'one request at a time').toBeUndefined();
        sent.push(request);
        return new Promise<Cart>((resolve, reject) => {
          settle = { resolve, reject };
        }).then((response) => {
          if (response.version >= newest.version) newest = response;
        });
      },
      refresh: async () => {
        shop.refreshed++;
        if (shop.stored && shop.stored.version >= newest.version) newest = shop.stored;
      },
      isCartChanged: (error) => error === conflict,
      onDone: () => undefined,
      onError: (_request, error) => failed.push(error),
    }),
    respond: async (outcome: Cart | Error) => {
      const waiting = settle;
      settle = undefined;
      if (outcome instanceof Error) waiting?.reject(outcome);
      else waiting?.resolve(outcome);
      await new Promise((done) => setTimeout(done));
    },
    shown: () =>
      withChanges(newest, pending.read()).items.map(({ productId, qty_50g, qty_100g }) =>
        [productId, qty_50g, qty_100g].join(' '),
      ),
    total: () => withChanges(newest, pending.read()).totalPacks,
  };
  return shop;
}

describe('the queue of cart changes', () => {
  it('sends one request at a time, and what was clicked meanwhile as one', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    for (let click = 0; click < 4; click++) shop.queue.enqueue(step(1));
    expect(shop.shown(), 'every click shows at once').toEqual(['goda 5 0']);
    expect(shop.sent).toEqual([{ kind: 'update', productId: 'goda', qty_50g: 2, qty_100g: 0, version: 1 }]);
    await shop.respond(cartOf(2, line('goda', 2)));
    expect(shop.shown(), 'the response takes no click back').toEqual(['goda 5 0']);
    expect(shop.sent[1]).toEqual({ kind: 'update', productId: 'goda', qty_50g: 5, qty_100g: 0, version: 2 });
    await shop.respond(cartOf(3, line('goda', 5)));
    expect(shop.shown()).toEqual(['goda 5 0']);
    expect(shop.sent).toHaveLength(2);
  });

  it('keeps both sizes and other lines apart', async () => {
    const shop = setUp(cartOf(1, line('goda', 1, 1), line('chai', 1)));
    shop.queue.enqueue(step(1));
    shop.queue.enqueue(step(1, 'chai'));
    shop.queue.enqueue(step(0, 'goda', 2));
    shop.queue.enqueue(step(-1, 'goda'));
    expect(shop.shown()).toEqual(['goda 1 3', 'chai 2 0']);
    await shop.respond(cartOf(2, line('goda', 2, 1), line('chai', 1)));
    await shop.respond(cartOf(3, line('goda', 2, 1), line('chai', 2)));
    expect(shop.sent[2]).toEqual({ kind: 'update', productId: 'goda', qty_50g: 1, qty_100g: 3, version: 3 });
  });

  it('sends nothing for a step there and back', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    shop.queue.enqueue(step(1));
    shop.queue.enqueue(step(1));
    shop.queue.enqueue(step(-1));
    await shop.respond(cartOf(2, line('goda', 2)));
    expect(shop.sent).toHaveLength(1);
    expect(shop.shown()).toEqual(['goda 2 0']);
  });

  it('takes a line out when its last pack goes', async () => {
    const shop = setUp(cartOf(1, line('goda', 2)));
    shop.queue.enqueue(step(-1));
    shop.queue.enqueue(step(-1));
    expect(shop.shown()).toEqual([]);
    await shop.respond(cartOf(2, line('goda', 1)));
    expect(shop.sent[1]).toEqual({ kind: 'remove', productId: 'goda' });
  });

  it('drops waiting steps of a line that is removed, and everything when the cart is cleared', async () => {
    const shop = setUp(cartOf(1, line('goda', 1), line('chai', 1)));
    shop.queue.enqueue(step(1));
    shop.queue.enqueue(step(1));
    shop.queue.enqueue({ kind: 'remove', productId: 'goda' });
    expect(shop.shown()).toEqual(['chai 1 0']);
    await shop.respond(cartOf(2, line('goda', 2), line('chai', 1)));
    expect(shop.sent[1]).toEqual({ kind: 'remove', productId: 'goda' });
    shop.queue.enqueue(step(3, 'chai'));
    shop.queue.enqueue({ kind: 'clear' });
    expect(shop.total()).toBe(0);
    await shop.respond(cartOf(3, line('chai', 1)));
    expect(shop.sent[2]).toEqual({ kind: 'clear' });
    await shop.respond(cartOf(4));
    expect(shop.sent).toHaveLength(3);
  });

  it('counts every press of Add to Cart', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    for (let press = 0; press < 3; press++) shop.queue.enqueue(add('chai', 2));
    expect(shop.total()).toBe(7);
    await shop.respond(cartOf(2, line('goda', 1), line('chai', 2)));
    expect(shop.sent[1]).toEqual(add('chai', 4));
    await shop.respond(cartOf(3, line('goda', 1), line('chai', 6)));
    expect(shop.shown()).toEqual(['goda 1 0', 'chai 6 0']);
  });

  it('takes a rejected step back, with the steps on top of it, and goes on with the rest', async () => {
    const shop = setUp(cartOf(1, line('goda', 1), line('chai', 1)));
    shop.queue.enqueue(step(1));
    shop.queue.enqueue(step(1, 'chai'));
    shop.queue.enqueue(step(1));
    const rejection = new Error('Failed to update cart');
    await shop.respond(rejection);
    expect(shop.failed).toEqual([rejection]);
    expect(shop.refreshed, 'the server says what became of it').toBe(1);
    expect(shop.shown()).toEqual(['goda 1 0', 'chai 2 0']);
    await shop.respond(cartOf(2, line('goda', 1), line('chai', 2)));
    expect(shop.shown()).toEqual(['goda 1 0', 'chai 2 0']);
    expect(shop.sent).toHaveLength(2);
  });

  it('computes a step again when another tab changed the cart', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    shop.queue.enqueue(step(1));
    shop.stored = cartOf(2, line('goda', 5));
    await shop.respond(conflict);
    expect(shop.sent[1]).toEqual({ kind: 'update', productId: 'goda', qty_50g: 6, qty_100g: 0, version: 2 });
    await shop.respond(cartOf(3, line('goda', 6)));
    expect(shop.failed).toEqual([]);
    expect(shop.shown()).toEqual(['goda 6 0']);
  });

  it('does not repeat a step that is rejected for another reason, such as stock', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    shop.queue.enqueue(step(1));
    shop.stored = cartOf(2, line('goda', 1), line('chai', 1));
    const shortage = new Error('insufficient_stock');
    await shop.respond(shortage);
    expect(shop.failed).toEqual([shortage]);
    expect(shop.sent).toHaveLength(1);
    expect(shop.shown()).toEqual(['goda 1 0', 'chai 1 0']);
  });

  it('does not repeat a step when the changed cart cannot be read', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    shop.queue.enqueue(step(1));
    await shop.respond(conflict);
    expect(shop.failed).toEqual([conflict]);
    expect(shop.sent).toHaveLength(1);
    expect(shop.shown()).toEqual(['goda 1 0']);
  });

  it('stops after repeated conflicts', async () => {
    const shop = setUp(cartOf(1, line('goda', 1)));
    shop.queue.enqueue(step(1));
    for (let version = 2; version < 7; version++) {
      shop.stored = cartOf(version, line('goda', 1));
      await shop.respond(conflict);
    }
    expect(shop.failed).toEqual([conflict]);
    expect(shop.sent).toHaveLength(5);
  });
});
