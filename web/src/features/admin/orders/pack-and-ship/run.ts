// What became of the orders of a press of 'Pack, ship and print': which are in the file, which are being booked, and which are
// left out and why.
import type { OrderToPackAndShip } from '~/api/types';
import { adminPath } from '../../console/url-state';

export type Refused = { orderId: string; code: string; message: string };

/** `orders` were accepted by the server, `refused` were not. */
export type Run = { orders: string[]; refused: Refused[] };

export type LeftOut = {
  orderId: string;
  reason: string;
  /** The row of an order whose booking failed: it can be tried again. */
  row?: OrderToPackAndShip;
  /** Where something can be done about it. */
  to: string;
  action: string;
};

export type Outcome = {
  /** Their papers are there, or were printed already. */
  ready: string[];
  booking: number;
  leftOut: LeftOut[];
};

const refusal = ({ orderId, code, message }: Refused): LeftOut =>
  code === 'batch_too_old'
    ? {
        orderId,
        reason: message,
        to: adminPath('stock', { show: 'batches' }),
        action: 'Look at the batches',
      }
    : { orderId, reason: message, to: adminPath('orders', { orderId }), action: 'Look at the order' };

/** `rows` is the list as it is now. An order that is not in it any more was printed. */
export function outcomeOf({ orders, refused }: Run, rows: OrderToPackAndShip[]): Outcome {
  const byId = new Map(rows.map((row) => [row.order._id, row]));
  const outcome: Outcome = { ready: [], booking: 0, leftOut: refused.map(refusal) };
  for (const orderId of orders) {
    const row = byId.get(orderId);
    if (!row || row.stage === 'print') outcome.ready.push(orderId);
    else if (row.error)
      outcome.leftOut.push({
        orderId,
        row,
        reason: row.error,
        to: adminPath('shipments', { group: 'preparing' }),
        action: 'Look at the parcel',
      });
    else outcome.booking += 1;
  }
  return outcome;
}

export const papersUrl = (orders: string[]) =>
  `/api/admin/pack-and-ship/papers.pdf?orders=${orders.map(encodeURIComponent).join(',')}`;

/** How many costs one request asks for, as the server has it. */
export const COSTS_PER_REQUEST = 20;

export function inGroups<T>(all: T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < all.length; at += size) groups.push(all.slice(at, at + size));
  return groups;
}
