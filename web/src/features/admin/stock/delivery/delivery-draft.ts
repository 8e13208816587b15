// What an admin has entered about a delivery of several products, its checks and the request. The server decides.
import type { DeliveryInput } from '~/api/types';
import { parseAmount } from '../movement-draft';

export type WeightUnit = 'kg' | 'g';
export type DeliveryRow = { weight: string; pouches50g: string; pouches100g: string };
/** By the id of the product. One that is left out is empty. */
export type DeliveryRows = Record<string, DeliveryRow>;

export const EMPTY_ROW: DeliveryRow = { weight: '', pouches50g: '', pouches100g: '' };

/** Whole grams; 0 if it is empty, null if it is no weight. */
export function parseWeight(text: string, unit: WeightUnit): number | null {
  if (unit === 'g') return parseAmount(text, 0);
  const plain = text.trim().replace(/(\d),(?=\d{2,3}(,|\.|$))/g, '$1');
  if (plain === '') return 0;
  return /^\d{1,7}(\.\d{1,3})?$/.test(plain) ? Math.round(Number(plain) * 1000) : null;
}

/** The same weight in the other unit. What is no weight stays as it is. */
export function inUnit(text: string, from: WeightUnit, to: WeightUnit): string {
  const grams = parseWeight(text, from);
  if (text.trim() === '' || grams === null || from === to) return text;
  return String(to === 'kg' ? grams / 1000 : grams);
}

const NUMBER = 'Enter a whole number';

/** Per product, what is wrong with each field. */
export function checkDelivery(rows: DeliveryRows, unit: WeightUnit): Record<string, Partial<DeliveryRow>> {
  const errors: Record<string, Partial<DeliveryRow>> = {};
  for (const [id, { weight, pouches50g, pouches100g }] of Object.entries(rows)) {
    const row: Partial<DeliveryRow> = {};
    if (parseWeight(weight, unit) === null) row.weight = unit === 'kg' ? 'Like 12.5, to the gram' : NUMBER;
    if (parseAmount(pouches50g, 0) === null) row.pouches50g = NUMBER;
    if (parseAmount(pouches100g, 0) === null) row.pouches100g = NUMBER;
    if (Object.keys(row).length > 0) errors[id] = row;
  }
  return errors;
}

/** The products of which something came. */
export function deliveryLines(rows: DeliveryRows, unit: WeightUnit): DeliveryInput['lines'] {
  return Object.entries(rows)
    .map(([productId, row]) => ({
      productId,
      grams: parseWeight(row.weight, unit) ?? 0,
      pouches50g: parseAmount(row.pouches50g, 0) ?? 0,
      pouches100g: parseAmount(row.pouches100g, 0) ?? 0,
    }))
    .filter(({ grams, pouches50g, pouches100g }) => grams + pouches50g + pouches100g > 0);
}
