// What an admin has entered to refund an order: its amount, its checks and the request.

import type { Order, RefundInput } from '~/api/types';
import type { FieldErrors } from '~/lib/form/form-errors';
import { checkRequired } from '~/lib/form/validation';
import { chosenLines, NO_PACKS, type Packs, packsOf, sizeOf } from '~/shared/order/packs';
import { checkAmount, packsAmount, packsLeft, parseRupees } from '../../console/refund-amount';
import { isLost, wasSent } from '../leaving/leaving';

const MAX_REASON_CHARS = 300;

export type RefundChoice = 'all' | 'packs' | 'amount';

export type RefundDraft = {
  choice: RefundChoice;
  packs: Record<string, Packs>;
  amount: string;
  reason: string;
  restock: boolean;
};

export const REFUND_FIELDS = ['amount', 'lines', 'reason'] as const;
export type RefundErrors = FieldErrors<(typeof REFUND_FIELDS)[number]>;

/** A parcel that has left is usually not sent back. */
export function newDraft(order: Pick<Order, 'orderStatus' | 'events'>): RefundDraft {
  return { choice: 'all', packs: {}, amount: '', reason: '', restock: !wasSent(order) };
}

/**
 * Whether packs that are refunded can go back into stock: those that the order still holds. Packs that came back with a refund
 * that failed are back already.
 */
export function canRestock(
  order: Pick<Order, 'items' | 'shipment' | 'refunds'>,
  { choice, packs }: RefundDraft,
): boolean {
  if (choice === 'amount' || isLost(order)) return false;
  const chosen = choice === 'all' || Object.keys(packs).length === 0 ? null : packs;
  return order.items.some((item) => {
    const back = Math.max(0, packsLeft(order, item) - item.held);
    const of = chosen === null ? item.quantity : packsOf(chosen[item.productId] ?? NO_PACKS, sizeOf(item)) - back;
    return Math.min(of, item.held) > 0;
  });
}

/** In rupees; null where the text is no amount. */
export function refundAmount(order: Order, draft: RefundDraft): number | null {
  if (draft.choice === 'all') return order.refundableAmount;
  return draft.choice === 'packs' ? packsAmount(order, draft.packs) : parseRupees(draft.amount);
}

export function checkRefund(order: Order, draft: RefundDraft): RefundErrors {
  const errors: RefundErrors = {};
  if (draft.choice === 'packs' && chosenLines(draft.packs).length === 0) {
    errors.lines = 'Choose at least one pack to refund';
  } else {
    const amount = checkAmount(refundAmount(order, draft), order.refundableAmount);
    if (amount) errors[draft.choice === 'packs' ? 'lines' : 'amount'] = amount;
  }
  const reason = checkRequired('Reason', draft.reason, MAX_REASON_CHARS);
  if (reason) errors.reason = reason;
  return errors;
}

type RefundedOrder = Pick<Order, 'items' | 'shipment' | 'orderStatus' | 'events' | 'refunds'>;

/** Items go back into stock with packs or the whole order; a free amount is about none. */
export function refundInput(order: RefundedOrder, draft: RefundDraft): RefundInput {
  const reason = draft.reason.trim();
  const restock = draft.restock && canRestock(order, draft);
  const cameBack = (restock && wasSent(order)) || undefined;
  switch (draft.choice) {
    case 'all':
      return { reason, restock, cameBack };
    case 'packs':
      return { lines: chosenLines(draft.packs), reason, restock, cameBack };
    case 'amount':
      return { amount: parseRupees(draft.amount), reason, restock };
  }
}
