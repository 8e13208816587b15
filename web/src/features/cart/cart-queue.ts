// Sends the changes of one cart, one request at a time. What is clicked while a request is under way waits; waiting
// steps of one line are sent as one. Quantities are computed when they are sent, from the newest cart of the server.
import type { Cart } from '~/api/types';
import { addPacks, type CartChange, type PackCounts, type PendingChanges, packsIn } from './pending-changes';

export type CartRequest =
  /** `version` is that of the cart which the quantities were computed from: the server rejects another one. */
  | ({ kind: 'update'; productId: string; version: number | undefined } & PackCounts)
  | Exclude<CartChange, { kind: 'step' }>;

export type CartServer = {
  /** The newest cart that the server has confirmed. */
  newest: () => Cart | undefined;
  /** Sends the request and saves the cart of the response. */
  send: (request: CartRequest) => Promise<unknown>;
  /** Reads the cart again and saves it. */
  refresh: () => Promise<unknown>;
  /** Whether the server rejected a request because the cart has another version. */
  isCartChanged: (error: unknown) => boolean;
  onDone: (request: CartRequest) => void;
  onError: (request: CartRequest, error: unknown) => void;
};

/** How often a step is computed again because the cart was changed elsewhere meanwhile. */
const MAX_CONFLICTS = 4;

export function createCartQueue(pending: PendingChanges, server: CartServer) {
  let sending = false;

  const enqueue = (change: CartChange) => {
    const [first, ...rest] = pending.read();
    const underWay = sending && first ? [first] : [];
    const waiting = sending ? rest : pending.read();
    pending.set([...underWay, ...merged(waiting, change)]);
    if (!sending) void sendAll();
  };

  const sendAll = async () => {
    sending = true;
    for (let change = pending.read()[0]; change; change = pending.read()[0]) await sendOne(change);
    sending = false;
  };

  const sendOne = async (change: CartChange) => {
    let base = server.newest();
    let request = requestFor(change, base);
    try {
      for (let conflicts = 0; ; conflicts++) {
        try {
          await server.send(request);
          break;
        } catch (error) {
          if (request.kind !== 'update' || !server.isCartChanged(error) || conflicts >= MAX_CONFLICTS) throw error;
          await server.refresh().catch(() => undefined);
          // The cart could not be read again: the same request would be rejected again.
          if (server.newest()?.version === base?.version) throw error;
          base = server.newest();
          request = requestFor(change, base);
        }
      }
      pending.set(pending.read().filter((other) => other !== change));
      server.onDone(request);
    } catch (error) {
      // Later steps of the line were clicked on top of this one: they go with it.
      pending.set(pending.read().filter((other) => other !== change && !buildsOn(other, change)));
      server.onError(request, error);
      // The response may have been lost after the server made the change.
      await server.refresh().catch(() => undefined);
    }
  };

  return { enqueue };
}

function merged(waiting: readonly CartChange[], change: CartChange): readonly CartChange[] {
  if (change.kind === 'clear') return [change];
  if (change.kind === 'remove') return [...waiting.filter((other) => !isAbout(other, change.productId)), change];
  const last = waiting.map((other) => other.kind === 'clear' || isAbout(other, change.productId)).lastIndexOf(true);
  const before = waiting[last];
  if (before?.kind !== change.kind) return [...waiting, change];
  const both = {
    ...change,
    qty_50g: before.qty_50g + change.qty_50g,
    qty_100g: before.qty_100g + change.qty_100g,
  };
  // Steps that cancel each other out are no change.
  const isNothing = both.qty_50g === 0 && both.qty_100g === 0;
  return [...waiting.slice(0, last), ...(isNothing ? [] : [both]), ...waiting.slice(last + 1)];
}

function requestFor(change: CartChange, cart: Cart | undefined): CartRequest {
  if (change.kind !== 'step') return change;
  const { productId } = change;
  const held = cart?.items.find((item) => item.productId === productId);
  const packs = addPacks(held ?? { qty_50g: 0, qty_100g: 0 }, change);
  // Zero packs of both sizes remove the item.
  if (packsIn(packs) === 0) return { kind: 'remove', productId };
  return { kind: 'update', productId, ...packs, version: cart?.version };
}

const isAbout = (change: CartChange, productId: string) => change.kind !== 'clear' && change.productId === productId;

const buildsOn = (later: CartChange, failed: CartChange) =>
  later.kind === 'step' && failed.kind === 'step' && later.productId === failed.productId;
