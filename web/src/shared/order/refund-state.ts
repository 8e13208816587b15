// Refunds in words, for customers and admins. The states are those of crates/domain/src/refund.rs.
import type { Refund, RefundState } from '~/api/types';
import { formatAmount } from '~/lib/format';
import type { Tone } from '~/ui/badge';

type Words = Record<RefundState, { label: string; tone: Tone }>;

const admin: Words = {
  requested: { label: 'Requested', tone: 'yellow' },
  pending: { label: 'On its way', tone: 'blue' },
  completed: { label: 'Done', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
};

/** A failed refund is the shop's work, not the customer's. */
const customer: Words = { ...admin, failed: { label: 'We are looking into it', tone: 'yellow' } };

export const refundWords = (state: RefundState, viewer: 'customer' | 'admin') =>
  (viewer === 'admin' ? admin : customer)[state];

/** The ids of failed refunds that another one was requested for: by repeating it, or for the same packs or amount. */
export function replacedIds(refunds: readonly Refund[]): Set<string> {
  const replaced = refunds.filter(({ supersededBy }) => supersededBy);
  return new Set([...refunds.flatMap(({ retryOf }) => retryOf ?? []), ...replaced.map(({ _id }) => _id)]);
}

/** What an order's badges say of its refunds, beside the state of its payment. */
export function refundBadges(refunds: readonly Refund[]): { label: string; tone: Tone }[] {
  const replaced = replacedIds(refunds);
  const shown = refunds.filter(({ _id }) => !replaced.has(_id));
  const paise = shown
    .filter(({ state }) => state === 'completed')
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  const isIn = (...states: RefundState[]) => shown.some(({ state }) => states.includes(state));
  return [
    paise > 0 && { label: `Refunded ${formatAmount(paise / 100)}`, tone: 'green' as const },
    isIn('requested', 'pending') && { label: 'Refund on its way', tone: 'blue' as const },
    isIn('failed') && { label: 'Refund delayed', tone: 'yellow' as const },
  ].filter((badge) => badge !== false);
}

/** The gateway does not refund less than one rupee. The server uses the same words. */
export const restKeptText = (rupees: number) => `${formatAmount(rupees)} is kept: the gateway refunds ₹1.00 or more`;

const REQUESTED_POLL_MS = 5_000;
const PENDING_POLL_MS = 30_000;

/** How soon to request an order again because one of its refunds is under way. */
export function refundPollMs(refunds: readonly Refund[]): number | false {
  if (refunds.some(({ state }) => state === 'requested')) return REQUESTED_POLL_MS;
  return refunds.some(({ state }) => state === 'pending') && PENDING_POLL_MS;
}
