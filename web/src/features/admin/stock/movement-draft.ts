// What an admin has entered about a movement of stock or a batch, its checks and the request. The server decides.
import type { BatchInput, ProductStock, StockAmount, StockMovementInput } from '~/api/types';
import type { FieldErrors } from '~/lib/form/form-errors';

export type MovementKind = StockMovementInput['kind'];

export const AMOUNTS = ['grams', 'pouches50g', 'pouches100g'] as const;
type AmountName = (typeof AMOUNTS)[number];

export type MovementDraft = Record<AmountName, string> & {
  note: string;
  batchId: string;
  isBatch: boolean;
  inStock: boolean;
  number: string;
  madeOn: string;
  bestBefore: string;
};

export const MOVEMENT_FIELDS = [...AMOUNTS, 'note', 'batchId', 'number', 'madeOn', 'bestBefore'] as const;
export type MovementErrors = FieldErrors<(typeof MOVEMENT_FIELDS)[number]>;

export const newDraft = (kind: MovementKind, stock: ProductStock, batchId?: string): MovementDraft => ({
  grams: '',
  pouches50g: '',
  pouches100g: '',
  note: '',
  // What is written off is most often of the batch that ends first.
  batchId: kind === 'writeOff' ? (batchId ?? stock.batches[0]?._id ?? '') : '',
  isBatch: false,
  inStock: false,
  number: '',
  madeOn: '',
  bestBefore: '',
});

/** A whole number; null if the field has something else. An empty field is `empty`. */
export function parseAmount(text: string, empty: number): number | null {
  const digits = text.replace(/[\s,]/g, '');
  if (digits === '') return empty;
  return /^\d{1,10}$/.test(digits) ? Number(digits) : null;
}

/** What was counted: a field that is left empty was not counted and stays as it is. */
export function countedOf(draft: MovementDraft, seen: StockAmount): StockAmount {
  const amount = (name: AmountName) => parseAmount(draft[name], seen[name]) ?? seen[name];
  return { grams: amount('grams'), pouches50g: amount('pouches50g'), pouches100g: amount('pouches100g') };
}

const NONE: StockAmount = { grams: 0, pouches50g: 0, pouches100g: 0 };

export function checkMovement(kind: MovementKind, draft: MovementDraft, seen: StockAmount): MovementErrors {
  const errors: MovementErrors = {};
  for (const name of AMOUNTS) {
    if (parseAmount(draft[name], 0) === null) errors[name] = 'Enter a whole number';
  }
  if (AMOUNTS.every((name) => draft[name].trim() === ''))
    errors.grams = kind === 'count' ? 'Enter what you counted' : 'Enter how much it is';
  const differs = AMOUNTS.some((name) => countedOf(draft, seen)[name] !== seen[name]);
  if (draft.note.trim() === '') {
    if (kind === 'writeOff') errors.note = 'Say why it is written off';
    if (kind === 'count' && differs && !errors.grams) errors.note = 'Say why the count differs';
  }
  if (kind === 'receive' && draft.isBatch) {
    if (draft.number.trim() === '') errors.number = 'Enter the number on the pouches';
    if (draft.bestBefore === '') errors.bestBefore = 'Enter the date';
    if (draft.madeOn !== '' && draft.bestBefore !== '' && draft.madeOn >= draft.bestBefore)
      errors.bestBefore = 'Earlier than the day it was made';
    if (!errors.grams && !parseAmount(draft.grams, 0)) errors.grams = 'A batch needs its grams';
  }
  return errors;
}

/** Of a draft that has no errors. */
export function movementInput(kind: MovementKind, draft: MovementDraft, seen: StockAmount): StockMovementInput {
  const note = draft.note.trim();
  if (kind === 'count') return { kind, ...countedOf(draft, seen), seen, note };
  const amount = countedOf(draft, NONE);
  return { kind, ...amount, note, batchId: kind === 'writeOff' && draft.batchId ? draft.batchId : null };
}

export function batchInput(productId: string, draft: MovementDraft): BatchInput {
  const { number, madeOn, bestBefore, inStock, note } = draft;
  const amount = countedOf(draft, NONE);
  const pouches = inStock ? { pouches50g: 0, pouches100g: 0 } : {};
  return { productId, number: number.trim(), madeOn, bestBefore, ...amount, ...pouches, inStock, note: note.trim() };
}
