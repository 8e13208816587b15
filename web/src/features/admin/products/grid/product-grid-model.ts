// The edits of the product grid: some columns of many products, each compared with the version that the grid showed.
import type { Product, ProductInput } from '~/api/types';
import {
  COUNTS,
  checkProduct,
  isEqual,
  mergeEdits,
  type ProductValues,
  toFormValues,
  toRequest,
} from '../form/product-form-model';

const COLUMNS = ['mrp', ...COUNTS, 'isVisible', 'trendingRank', 'category'] as const;
type Column = (typeof COLUMNS)[number];

/** What an admin has typed into a row. `product` is the version that it is based on. */
export type RowEdit = { product: Product; values: ProductValues; problem: string };
export type GridEdits = Record<string, RowEdit>;

export const rowOf = (product: Product, edits: GridEdits): RowEdit =>
  edits[product._id] ?? { product, values: toFormValues(product), problem: '' };

export function changedColumns({ product, values }: RowEdit): Column[] {
  const base = toFormValues(product);
  return COLUMNS.filter((column) => !isEqual(base[column], values[column]));
}

/** The edits with a changed row. A row that is as it was before is no edit. */
export function withRow(edits: GridEdits, row: RowEdit): GridEdits {
  const { [row.product._id]: _, ...others } = edits;
  return changedColumns(row).length > 0 ? { ...others, [row.product._id]: row } : others;
}

/** Keys are columns, followed by a dot and a number for one price of several. */
export const errorsOf = ({ product, values }: RowEdit) => checkProduct(values, product);

/** The changed columns only, so that another admin's change of another column is no conflict with what is sent. */
export function requestOf(row: RowEdit): ProductInput {
  const all = toRequest(row.values, row.product);
  const columns = changedColumns(row);
  const isSent = (name: string) =>
    columns.some((column) => [column, `${column}_seen`, `${column}_change`].includes(name));
  const sent = Object.entries(all).filter(([name]) => isSent(name));
  return { ...Object.fromEntries(sent), version: row.product.version };
}

/** The edit on top of what another admin saved meanwhile. */
export function rebased(row: RowEdit, newest: Product): RowEdit {
  const { values, conflicts } = mergeEdits(toFormValues(row.product), row.values, toFormValues(newest));
  const both = conflicts.length > 0 ? ` Both of you changed ${conflicts.join(', ')}.` : '';
  return { product: newest, values, problem: `Changed by another admin meanwhile.${both} Check it and save again.` };
}
