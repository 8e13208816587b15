// Money, dates and counts as text. Written by hand: the engine that renders pages has no Intl, and both sides must
// produce the same characters.

export { plural } from './plural';

/** 1234567.5 → '12,34,567.50': the last three digits, then pairs. Decimals only where there are any. */
export function formatNumber(value: number, decimals?: 0 | 2): string {
  const negative = value < 0;
  const paise = Math.round(Math.abs(value) * 100);
  const whole = String(Math.floor(paise / 100));
  const rest = paise % 100;
  const tail = whole.slice(-3);
  const head = whole.slice(0, -3).replace(/\B(?=(\d{2})+(?!\d))/g, ',');
  const grouped = head ? `${head},${tail}` : tail;
  const showDecimals = decimals === 2 || (decimals === undefined && rest > 0);
  return `${negative ? '-' : ''}${grouped}${showDecimals ? `.${String(rest).padStart(2, '0')}` : ''}`;
}

/** The price of a product: '₹75', with paise where it has some. Not for what an order comes to: `formatAmount`. */
export function formatPrice(value: number): string {
  return `₹${formatNumber(value)}`;
}

/** An amount of an order or of several (total, discount, refund, charge), always with paise: '₹75.00'. */
export function formatAmount(value: number): string {
  return `₹${formatNumber(value, 2)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IST_OFFSET_MS = 5.5 * 60 * 60 * 1000;

/** '14 Nov 2026', always in Indian Standard Time. */
export function formatDate(iso: string): string {
  const time = inIndia(iso);
  return time ? `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}` : '';
}

/** '9:05 pm'. */
export function formatTime(iso: string): string {
  const time = inIndia(iso);
  if (!time) return '';
  const hours = time.getUTCHours();
  const minutes = String(time.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'am' : 'pm'}`;
}

/** '14 Nov 2026, 9:05 pm'. */
export function formatDateTime(iso: string): string {
  const time = formatTime(iso);
  return time && `${formatDate(iso)}, ${time}`;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** 'Sat 14 Nov 2026, 9:05 pm IST', for admins. */
export function formatDateTimeIst(iso: string): string {
  const time = inIndia(iso);
  return time ? `${WEEKDAYS[time.getUTCDay()]} ${formatDateTime(iso)} IST` : '';
}

/** 'Fri 20 Nov', of a day such as '2026-11-20'. */
export function formatDay(day: string): string {
  const time = inIndia(day);
  return time ? `${WEEKDAYS[time.getUTCDay()]} ${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}` : '';
}

function inIndia(iso: string): Date | null {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? null : new Date(at + IST_OFFSET_MS);
}
