// Stock in words: weights, how long it lasts, and why it changed.
import type { Batch, ProductStock, StockAmount, StockMovement } from '~/api/types';
import { formatNumber, plural } from '~/lib/format';
import type { Tone } from '~/ui/badge';

/** 450 → '450 g', 12500 → '12.50 kg', 20000 → '20 kg'. */
export function gramsText(grams: number): string {
  return Math.abs(grams) < 1000 ? `${formatNumber(grams)} g` : `${formatNumber(grams / 1000)} kg`;
}

export const isNone = ({ grams, pouches50g, pouches100g }: StockAmount) =>
  grams === 0 && pouches50g === 0 && pouches100g === 0;

/** '320 × 50 g', in one line. */
const pouches = (count: number, size: number) => `${formatNumber(count)}\u00a0×\u00a0${size}\u00a0g`;

/** '320 × 50 g, 260 × 100 g'. */
export const pouchesText = ({ pouches50g, pouches100g }: StockAmount) =>
  `${pouches(pouches50g, 50)}, ${pouches(pouches100g, 100)}`;

const signed = (count: number, text: string) => `${count > 0 ? '+' : '−'}${text}`;

/** '−250 g', '+5 kg, +50 × 50 g pouches', 'No difference'. */
export function changeText({ grams, pouches50g, pouches100g }: StockAmount): string {
  const parts = [
    grams !== 0 && signed(grams, gramsText(Math.abs(grams))),
    pouches50g !== 0 && signed(pouches50g, `${pouches(Math.abs(pouches50g), 50)} pouches`),
    pouches100g !== 0 && signed(pouches100g, `${pouches(Math.abs(pouches100g), 100)} pouches`),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'No difference';
}

export const minus = (one: StockAmount, other: StockAmount): StockAmount => ({
  grams: one.grams - other.grams,
  pouches50g: one.pouches50g - other.pouches50g,
  pouches100g: one.pouches100g - other.pouches100g,
});

const shortestTexts: Record<NonNullable<ProductStock['shortest']>, string> = {
  spice: 'spice',
  pouches50g: '50 g pouches',
  pouches100g: '100 g pouches',
};

/** How long the stock lasts, what runs out first, and how that looks. */
export function lasts(stock: ProductStock): { text: string; hint: string; tone: Tone } {
  const hint = stock.shortest && stock.shortest !== 'spice' ? `${shortestTexts[stock.shortest]} run out first` : '';
  if (stock.isSoldOut) return { text: 'Sold out', hint: '', tone: stock.isVisible ? 'red' : 'neutral' };
  if (stock.daysLeft === null) return { text: 'No sales', hint: 'in 14 days', tone: 'neutral' };
  const text = stock.daysLeft > 365 ? 'Over a year' : plural(stock.daysLeft, 'day');
  return { text, hint, tone: stock.isLow ? 'red' : stock.daysLeft < 14 ? 'yellow' : 'green' };
}

/** Low products first, the shortest first; then by name, as the catalogue has them. */
export function byNeed(one: ProductStock, other: ProductStock): number {
  const rank = ({ isLow, isSoldOut, daysLeft }: ProductStock) => (isLow ? (isSoldOut ? -1 : (daysLeft ?? 0)) : 1e9);
  return rank(one) - rank(other);
}

/** The one that ends first first; those without sales last. */
export function byLasting(one: ProductStock, other: ProductStock): number {
  const days = ({ isSoldOut, daysLeft }: ProductStock) => (isSoldOut ? -1 : (daysLeft ?? 1e9));
  return days(one) - days(other);
}

const reasonTexts: Record<string, string> = {
  opening: 'First stock',
  edit: 'Changed in the product',
  count: 'Counted',
  receive: 'Received',
  'write off': 'Written off',
  batch: 'Given a batch',
  hold: 'Ordered',
  release: 'Order ended unpaid',
  'take again': 'Paid late',
  restock: 'Came back',
  'send again': 'Sent again',
};

export function reasonText({ reason, batch, change }: Pick<StockMovement, 'reason' | 'batch' | 'change'>): string {
  // Its two rows: less in the batch, more without one.
  const isTaken = reason === 'batch' && (batch === null) === change.grams > 0;
  return isTaken ? 'Taken out of its batch' : (reasonTexts[reason] ?? reason);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2027-06-30' → '30 Jun 2027'. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** What ends earlier is neither sold nor packed (crates/domain/src/batch.rs). */
export const MIN_DAYS_LEFT = 45;

const DAY_MS = 86_400_000;
const INDIA_MS = 5.5 * 60 * 60_000;

/** Whether a best-before date ('2027-06-30') is too near. Days are counted in India. False if it is no date yet. */
export function isTooOld(bestBefore: string, nowMs: number): boolean {
  const today = Math.floor((nowMs + INDIA_MS) / DAY_MS);
  return Date.parse(bestBefore) / DAY_MS < today + MIN_DAYS_LEFT;
}

/** Too old to be sent, with something left. */
export const isToWriteOff = ({ leftGrams, canBeSent }: Batch): boolean => leftGrams > 0 && !canBeSent;

/** A batch with fewer days left is shown in yellow. */
const SOON_DAYS = 75;

export function batchState({ canBeSent, daysLeft, leftGrams }: Batch): { text: string; tone: Tone } {
  if (leftGrams === 0) return { text: 'Used up', tone: 'neutral' };
  if (daysLeft < 0) return { text: 'Past its date', tone: 'red' };
  if (!canBeSent) return { text: `${plural(daysLeft, 'day')} left: not sold`, tone: 'red' };
  return { text: `${plural(daysLeft, 'day')} left`, tone: daysLeft < SOON_DAYS ? 'yellow' : 'green' };
}
