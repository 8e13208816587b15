// The values of the product form, their checks, and the request that is sent. The server checks the same again
// (crates/domain/src/product.rs); here errors show beside their fields before anything is sent.
import type { Product, ProductInput, Shop } from '~/api/types';
import { type FieldErrors, fieldOf } from '~/lib/form/form-errors';

export const NUTRIENTS = ['Energy', 'Fat', 'Protein', 'Carbohydrate', 'Sugar'] as const;
export const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export const COUNTS = ['stock', 'packaging_50gms', 'packaging_100gms'] as const;
export type Count = (typeof COUNTS)[number];

const TEXTS = [
  'product_name',
  'devanagari_name',
  'generic_name',
  'description',
  'country_of_origin',
  'preservatives',
  'fssai_reg_no',
  'manufactured_marketed_by',
  'address',
  'email',
  'customer_care_no',
  'best_before',
  'hsn_code',
] as const;
export type TextName = (typeof TEXTS)[number];
export type ListName = 'category' | 'ingredients' | 'recipe' | 'why_you_will_love_it' | 'mrp' | 'images';
type Weight = { value: string; unit: string };

/** All values as they are typed. A count is the counted number or, of an existing product, a change to it. */
export type ProductValues = Record<TextName | Count, string> &
  Record<ListName, string[]> & {
    diet: Product['diet'];
    /** Empty where it is not stated. */
    heat: NonNullable<Product['heat']> | '';
    nutrition_facts: Product['nutrition_facts'];
    /** What each picture shows, by its file. */
    image_alts: Record<string, string>;
    net_wt: Weight[];
    gst_rate_percent: string;
    isVisible: boolean;
    trendingRank: string;
  };

export type FormErrors = FieldErrors<string>;

/** The values of a new product: those that are the same on every label of this shop are filled in. */
export function newValues(shop: Shop, images: string[] = []): ProductValues {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, ''])) as Record<TextName, string>;
  return {
    ...texts,
    country_of_origin: 'India',
    best_before: '12 Months',
    fssai_reg_no: shop.fssai,
    manufactured_marketed_by: shop.legalName,
    address: shop.address,
    email: shop.supportEmail,
    customer_care_no: shop.supportPhone,
    diet: 'veg',
    heat: '',
    nutrition_facts: { Energy: '', Fat: '', Protein: '', Carbohydrate: '', Sugar: '' },
    category: [''],
    ingredients: [''],
    recipe: [''],
    why_you_will_love_it: [''],
    mrp: ['', ''],
    net_wt: [
      { value: '50', unit: 'g' },
      { value: '100', unit: 'g' },
    ],
    images,
    image_alts: {},
    gst_rate_percent: '5',
    stock: '0',
    packaging_50gms: '0',
    packaging_100gms: '0',
    isVisible: true,
    trendingRank: '',
  };
}

export function toFormValues(product: Product): ProductValues {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, product[name]])) as Record<TextName, string>;
  const rows = (list: string[]) => (list.length > 0 ? list : ['']);
  return {
    ...texts,
    diet: product.diet,
    heat: product.heat ?? '',
    nutrition_facts: { ...product.nutrition_facts },
    category: rows(product.category),
    ingredients: rows(product.ingredients),
    recipe: rows(product.recipe),
    why_you_will_love_it: rows(product.why_you_will_love_it),
    mrp: rows(product.mrp.map(String)),
    net_wt:
      product.net_wt.length > 0
        ? product.net_wt.map(({ value, unit }) => ({ value: String(value), unit }))
        : [{ value: '', unit: 'g' }],
    images: product.images,
    image_alts: Object.fromEntries(product.image_details.map(({ file, alt }) => [file, alt])),
    gst_rate_percent: String(product.gst_rate_percent),
    stock: String(product.stock),
    packaging_50gms: String(product.packaging_50gms),
    packaging_100gms: String(product.packaging_100gms),
    isVisible: product.isVisible,
    trendingRank: product.trendingRank === null ? '' : String(product.trendingRank),
  };
}

const filled = (list: string[]) => list.map((each) => each.trim()).filter(Boolean);
const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text.trim());

/** Keys are field names, followed by a dot and the row's number for an error of one row. */
export function checkProduct(values: ProductValues, editing: Product | null): FormErrors {
  const errors: FormErrors = {};
  if (!values.product_name.trim()) errors.product_name = 'A product needs a name';
  if (filled(values.category).length === 0) errors['category.0'] = 'At least one category';
  if (filled(values.ingredients).length === 0) errors['ingredients.0'] = 'At least one ingredient';
  values.mrp.forEach((price, row) => {
    if (!isNumber(price)) errors[`mrp.${row}`] = 'A price of 0 or more';
    else if (!/^\d+(\.\d{1,2})?$/.test(price.trim())) errors[`mrp.${row}`] = 'Two decimals at most';
  });
  values.net_wt.forEach(({ value, unit }, row) => {
    if (!isNumber(value)) errors[`net_wt.${row}`] = 'A weight of 0 or more';
    else if (!unit.trim()) errors[`net_wt.${row}`] = 'A unit, like g';
  });
  for (const count of COUNTS) {
    const error = checkCount(values[count], editing?.[count]);
    if (error) errors[count] = error;
  }
  const gst = values.gst_rate_percent.trim();
  if (gst && (!isNumber(gst) || Number(gst) > 100)) errors.gst_rate_percent = 'From 0 to 100';
  return errors;
}

function checkCount(text: string, present: number | undefined): string | undefined {
  const trimmed = text.trim();
  if (present === undefined) return /^\d*$/.test(trimmed) ? undefined : 'A whole number, 0 or more';
  const count = parseCount(trimmed);
  if (!count) return 'A whole number, 0 or more, or a change like +500 or -20';
  return countAfter(count, present) < 0 ? `Only ${present} are there` : undefined;
}

type CountEdit = { counted: number } | { change: number };

/** '450' is a counted number, '+50' and '-20' are changes, '' is a change of 0; `null` where it is not a number. */
export function parseCount(text: string): CountEdit | null {
  const plain = text.trim().replace('−', '-');
  if (plain === '') return { change: 0 };
  if (!/^[+-]?\d{1,9}$/.test(plain)) return null;
  return /^\d/.test(plain) ? { counted: Number(plain) } : { change: Number(plain) };
}

export const countAfter = (count: CountEdit, present: number): number =>
  'counted' in count ? count.counted : present + count.change;

/** A counted number is sent with the number that the form showed: the server subtracts packs that are sold meanwhile. */
function countFields(name: Count, text: string, shown: number): ProductInput {
  const count = parseCount(text) ?? { change: 0 };
  return 'counted' in count ? { [name]: count.counted, [`${name}_seen`]: shown } : { [`${name}_change`]: count.change };
}

export function toRequest(values: ProductValues, editing: Product | null): ProductInput {
  const { stock, packaging_50gms, packaging_100gms, image_alts: alts, ...rest } = values;
  const images = filled(values.images);
  const counts = { stock, packaging_50gms, packaging_100gms };
  const fields: ProductInput = {};
  for (const name of COUNTS) {
    Object.assign(
      fields,
      editing ? countFields(name, counts[name], editing[name]) : { [name]: Number(counts[name]) || 0 },
    );
  }
  return {
    ...rest,
    category: filled(values.category),
    ingredients: filled(values.ingredients),
    recipe: filled(values.recipe),
    why_you_will_love_it: filled(values.why_you_will_love_it),
    images,
    image_alts: images.map((file) => alts[file]?.trim() ?? ''),
    mrp: values.mrp.map(Number),
    net_wt: values.net_wt.map(({ value, unit }) => ({ value: Number(value), unit: unit.trim() })),
    gst_rate_percent: Number(values.gst_rate_percent) || 0,
    trendingRank: values.trendingRank ? Number(values.trendingRank) : null,
    ...fields,
    ...(editing ? { version: editing.version } : {}),
  };
}

export const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** My changes on top of what another admin saved meanwhile, and the fields that both changed. */
export function mergeEdits(base: ProductValues, mine: ProductValues, theirs: ProductValues) {
  const names = Object.keys(base) as (keyof ProductValues)[];
  const changed = names.filter((name) => !isEqual(base[name], mine[name]));
  const isCount = (name: keyof ProductValues): name is Count => COUNTS.some((count) => count === name);
  const merged = changed.map((name) => [name, isCount(name) ? countAsChange(base[name], mine[name]) : mine[name]]);
  const values = { ...theirs, ...Object.fromEntries(merged) } as ProductValues;
  const conflicts = changed.filter(
    (name) => !isCount(name) && !isEqual(base[name], theirs[name]) && !isEqual(mine[name], theirs[name]),
  );
  return { values, conflicts };
}

/** A counted number refers to the number that was shown. With a newer number only the difference is kept. */
function countAsChange(base: string, mine: string): string {
  const [shown, count] = [parseCount(base), parseCount(mine)];
  if (!shown || !count || !('counted' in shown) || !('counted' in count)) return mine;
  const change = count.counted - shown.counted;
  return `${change < 0 ? '' : '+'}${change}`;
}

const ROW_FIELDS = ['category', 'ingredients', 'mrp', 'net_wt', 'recipe', 'why_you_will_love_it'] as const;
const PLAIN_FIELDS = [...TEXTS, ...COUNTS, 'gst_rate_percent', 'trendingRank', 'images'] as const;

/** The key of the form's errors for the field that the server rejected: a list shows the error at its first row. */
export function rejectedField(error: unknown): string | undefined {
  const list = fieldOf(error, ROW_FIELDS);
  return list ? `${list}.0` : fieldOf(error, PLAIN_FIELDS);
}
