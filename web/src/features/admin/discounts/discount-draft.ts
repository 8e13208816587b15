// What an admin has entered for a discount code, its checks and the request. The server decides.
import type { Discount, DiscountInput } from '~/api/types';
import type { FieldErrors } from '~/lib/form/form-errors';
import { parseRupees } from '../console/refund-amount';

export type DiscountDraft = {
  code: string;
  kind: Discount['kind'];
  value: string;
  maxUses: string;
  oncePerCustomer: boolean;
  firstOrderOnly: boolean;
  minTotal: string;
  categories: string[];
  products: string[];
  from: string;
  to: string;
  active: boolean;
};

export const DISCOUNT_FIELDS = [
  'code',
  'value',
  'maxUses',
  'minTotal',
  'categories',
  'products',
  'from',
  'to',
] as const;
export type DiscountField = (typeof DISCOUNT_FIELDS)[number];
export type DiscountErrors = FieldErrors<DiscountField>;

export const EMPTY_DRAFT: DiscountDraft = {
  code: '',
  kind: 'percent',
  value: '',
  maxUses: '',
  oncePerCustomer: false,
  firstOrderOnly: false,
  minTotal: '',
  categories: [],
  products: [],
  from: '',
  to: '',
  active: true,
};

export function draftOf(discount: Discount): DiscountDraft {
  const { code, kind, oncePerCustomer, firstOrderOnly, categories, products, active } = discount;
  return {
    code,
    kind,
    value: String(discount.value),
    maxUses: discount.maxUses === null ? '' : String(discount.maxUses),
    oncePerCustomer,
    firstOrderOnly,
    minTotal: discount.minTotal > 0 ? String(discount.minTotal) : '',
    categories,
    products,
    from: discount.from ?? '',
    to: discount.to ?? '',
    active,
  };
}

export function checkDiscount(draft: DiscountDraft): DiscountErrors {
  const errors: DiscountErrors = {};
  if (!/^[A-Z0-9-]{4,24}$/.test(draft.code.trim().toUpperCase())) {
    errors.code = 'Use 4 to 24 letters, digits and dashes';
  }
  const value = parseRupees(draft.value);
  if (draft.kind === 'percent') {
    if (value === null || value <= 0 || value > 100) errors.value = 'Enter a per cent from 0.01 to 100';
  } else if (value === null || value <= 0) {
    errors.value = 'Enter an amount such as 50 or 49.50';
  }
  if (draft.maxUses.trim() !== '' && !/^[1-9]\d{0,8}$/.test(draft.maxUses.trim())) {
    errors.maxUses = 'Enter a whole number, or leave it empty';
  }
  if (draft.minTotal.trim() !== '' && parseRupees(draft.minTotal) === null) {
    errors.minTotal = 'Enter an amount such as 500, or leave it empty';
  }
  if (draft.from && draft.to && draft.to < draft.from) errors.to = 'The end is before the beginning';
  return errors;
}

/** Of a draft that has no errors. */
export function inputOf(draft: DiscountDraft): DiscountInput {
  return {
    code: draft.code.trim().toUpperCase(),
    kind: draft.kind,
    value: parseRupees(draft.value) ?? 0,
    maxUses: draft.maxUses.trim() === '' ? null : Number(draft.maxUses),
    oncePerCustomer: draft.oncePerCustomer,
    firstOrderOnly: draft.firstOrderOnly,
    minTotal: draft.minTotal.trim() === '' ? null : parseRupees(draft.minTotal),
    categories: draft.categories,
    products: draft.products,
    from: draft.from || null,
    to: draft.to || null,
    active: draft.active,
  };
}
