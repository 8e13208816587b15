// A discount code in words, and whether it can be used now.
import type { Discount } from '~/api/types';
import { formatDateTime, formatNumber, formatPrice, plural } from '~/lib/format';
import type { Tone } from '~/ui/badge';

export const valueText = ({ kind, value }: Pick<Discount, 'kind' | 'value'>): string =>
  kind === 'percent' ? `${formatNumber(value)} %` : formatPrice(value);

/** What the code is for, and who can use it. */
export function rules(discount: Discount): string[] {
  const { categories, products, minTotal, firstOrderOnly, oncePerCustomer } = discount;
  const chosen = [
    categories.length > 0 && categories.join(', '),
    products.length > 0 && plural(products.length, 'product'),
  ].filter(Boolean);
  return [
    chosen.length > 0 ? `Only ${chosen.join(' and ')}` : 'Whole order',
    minTotal > 0 && `From ${formatPrice(minTotal)}`,
    firstOrderOnly && 'First order only',
    oncePerCustomer && 'Once per customer',
  ].filter((rule) => rule !== false);
}

/** Times of codes are in India, as '2026-11-20T18:30'. */
export const timeText = (local: string): string => formatDateTime(`${local}:00+05:30`);

export function validity({ from, to }: Pick<Discount, 'from' | 'to'>): string {
  if (from && to) return `${timeText(from)} to ${timeText(to)}`;
  if (from) return `From ${timeText(from)}`;
  return to ? `Until ${timeText(to)}` : 'Always';
}

export type DiscountState = 'active' | 'paused' | 'planned' | 'ended' | 'used up';

export const stateTones: Record<DiscountState, Tone> = {
  active: 'green',
  paused: 'yellow',
  planned: 'blue',
  ended: 'neutral',
  'used up': 'neutral',
};

const MINUTE_MS = 60_000;

/** As crates/domain/src/discount.rs checks it. */
export function stateOf(discount: Discount, nowMs: number): DiscountState {
  const at = (local: string) => Date.parse(`${local}:00+05:30`);
  if (!discount.active) return 'paused';
  if (discount.from && nowMs < at(discount.from)) return 'planned';
  if (discount.to && nowMs >= at(discount.to) + MINUTE_MS) return 'ended';
  return discount.maxUses !== null && discount.uses >= discount.maxUses ? 'used up' : 'active';
}

export function usesText({ uses, maxUses, held }: Pick<Discount, 'uses' | 'maxUses' | 'held'>): string {
  const all = maxUses === null ? formatNumber(uses) : `${formatNumber(uses)} of ${formatNumber(maxUses)}`;
  return held > 0 ? `${all} (${formatNumber(held)} unpaid)` : all;
}
