// Many products at once: prices, stock, visibility, rank and categories in a table. Each row is saved with its version.
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { errorMessage, hasCode, isUnauthorized } from '~/api/error';
import type { Product } from '~/api/types';
import { plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { Button } from '~/ui/button';
import { toast } from '~/ui/feedback/toast';
import { useUnsavedChanges } from '../../console/unsaved-changes';
import { adminPath } from '../../console/url-state';
import { COUNTS, type Count, isEqual, RANKS } from '../form/product-form-model';
import { fetchProduct, saveProduct, useInvalidateProducts } from '../product-queries';
import {
  changedColumns,
  errorsOf,
  type GridEdits,
  type RowEdit,
  rebased,
  requestOf,
  rowOf,
  withRow,
} from './product-grid-model';

const COUNT_LABELS: Record<Count, string> = {
  stock: 'Stock (g)',
  packaging_50gms: '50 g pouches',
  packaging_100gms: '100 g pouches',
};
const SIZES = [50, 100];

export function ProductGrid({ products }: { products: Product[] }) {
  const [edits, setEdits] = useState<GridEdits>({});
  const [isSaving, setSaving] = useState(false);
  const invalidate = useInvalidateProducts();
  const changed = Object.values(edits);
  useUnsavedChanges(changed.length > 0);
  const setRow = (row: RowEdit) => setEdits((now) => withRow(now, row));

  const save = async () => {
    setSaving(true);
    let saved = 0;
    for (const row of changed) {
      try {
        await saveProduct(row.product._id, requestOf(row));
        setEdits(({ [row.product._id]: _, ...others }) => others);
        saved++;
      } catch (error) {
        const newest = hasCode(error, 'product_changed') ? await fetchProduct(row.product._id).catch(() => null) : null;
        setRow(newest ? rebased(row, newest) : { ...row, problem: errorMessage(error, 'Failed to update product') });
        if (isUnauthorized(error)) break;
      }
    }
    setSaving(false);
    if (saved > 0) toast.success(`${plural(saved, 'product')} updated!`);
    if (saved < changed.length) toast.error(`${plural(changed.length - saved, 'product')} not updated`);
    await invalidate();
  };

  const isValid = changed.every((row) => Object.keys(errorsOf(row)).length === 0);
  return (
    <>
      <div className="overflow-x-auto rounded-lg border border-line bg-surface shadow-card">
        <table className="w-full min-w-4xl text-sm" onKeyDown={moveFocus}>
          <thead className="border-b border-line text-left text-ink-soft">
            <tr>
              <th scope="col" className="sticky left-0 z-1 bg-surface px-3 py-2.5">
                Product
              </th>
              {[
                ...SIZES.map((size) => `${size} g (₹)`),
                ...COUNTS.map((count) => COUNT_LABELS[count]),
                'Visible',
                'Rank',
                'Categories',
              ].map((label) => (
                <th key={label} scope="col" className="px-1.5 py-2.5 font-semibold whitespace-nowrap">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {products.map((product) => (
              <GridRow key={product._id} row={rowOf(product, edits)} isSaving={isSaving} onChange={setRow} />
            ))}
          </tbody>
        </table>
      </div>
      {changed.length > 0 && (
        <section
          aria-label="Changed products"
          className="sticky bottom-2 z-10 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-lift max-md:bottom-18"
        >
          <p role="status" className="font-semibold tabular-nums">
            {plural(changed.length, 'product')} changed
          </p>
          <div className="ml-auto flex gap-2">
            <Button variant="ghost" size="sm" disabled={isSaving} onClick={() => setEdits({})}>
              Discard
            </Button>
            <Button size="sm" busy={isSaving} disabled={!isValid} onClick={() => void save()}>
              Save
            </Button>
          </div>
        </section>
      )}
    </>
  );
}

type RowProps = { row: RowEdit; isSaving: boolean; onChange: (row: RowEdit) => void };

function GridRow({ row, isSaving, onChange }: RowProps) {
  const { product, values, problem } = row;
  const name = product.product_name;
  const columns = changedColumns(row);
  const errors = errorsOf(row);
  const texts = [...new Set([problem, ...Object.values(errors)])].filter(Boolean);
  const set = (change: Partial<RowEdit['values']>) =>
    onChange({ ...row, values: { ...values, ...change }, problem: '' });
  const shared = (column: string, label: string, error?: string) => ({
    'aria-label': `${label} of ${name}`,
    'aria-invalid': error ? true : undefined,
    'data-changed': columns.some((changed) => changed === column) || undefined,
    'data-column': label,
    disabled: isSaving,
    autoComplete: 'off',
    className:
      'min-h-11 w-full rounded-md border border-line bg-raised px-2 tabular-nums transition hover:border-line-strong data-changed:border-turmeric data-changed:bg-turmeric-wash aria-invalid:border-chilli',
  });
  return (
    <tr>
      <th scope="row" className="sticky left-0 z-1 w-44 max-w-44 bg-surface px-3 py-1.5 text-left font-semibold">
        <Link className="link" to={adminPath('products', { product: product._id })}>
          {name}
        </Link>
        {texts.map((text) => (
          <span key={text} role="alert" className="block font-normal text-chilli">
            {text}
          </span>
        ))}
      </th>
      {SIZES.map((size) => {
        const at = product.net_wt.findIndex(({ value, unit }) => value === size && unit === 'g');
        const price = values.mrp[at];
        if (price === undefined)
          return (
            <td key={size} className="px-1.5 py-1.5 text-center text-ink-soft">
              –
            </td>
          );
        const onPrice = (text: string) => set({ mrp: values.mrp.map((each, index) => (index === at ? text : each)) });
        return (
          <td key={size} className="w-24 px-1.5 py-1.5">
            <input
              {...shared('mrp', `Price of ${size} g`, errors[`mrp.${at}`])}
              inputMode="decimal"
              value={price}
              onChange={(event) => onPrice(event.target.value)}
            />
          </td>
        );
      })}
      {COUNTS.map((count) => (
        <td key={count} className="w-28 px-1.5 py-1.5">
          <input
            {...shared(count, COUNT_LABELS[count], errors[count])}
            value={values[count]}
            onChange={(event) => set({ [count]: event.target.value })}
          />
        </td>
      ))}
      <td className="px-1.5 py-1.5 text-center">
        <label className="inline-grid size-11 place-items-center">
          <input
            type="checkbox"
            className="size-5 accent-cardamom"
            aria-label={`Visible: ${name}`}
            checked={values.isVisible}
            disabled={isSaving}
            onChange={(event) => set({ isVisible: event.target.checked })}
          />
        </label>
      </td>
      <td className="w-20 px-1.5 py-1.5">
        <select
          {...shared('trendingRank', 'Rank')}
          value={values.trendingRank}
          onChange={(event) => set({ trendingRank: event.target.value })}
        >
          <option value="">–</option>
          {RANKS.map((rank) => (
            <option key={rank} value={rank}>
              {rank}
            </option>
          ))}
        </select>
      </td>
      <td className="min-w-44 px-1.5 py-1.5">
        <CategoryInput
          {...shared('category', 'Categories', errors['category.0'])}
          category={values.category}
          onCategory={(category) => set({ category })}
        />
      </td>
    </tr>
  );
}

type CategoryProps = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  category: string[];
  onCategory: (category: string[]) => void;
};

/** Categories with commas between them. Keeps the text as it is typed, also a comma at its end. */
function CategoryInput({ category, onCategory, ...input }: CategoryProps) {
  const [text, setText] = useState('');
  const isTyped = isEqual(splitCategories(text), category);
  return (
    <input
      {...input}
      value={isTyped ? text : category.join(', ')}
      onChange={(event) => {
        setText(event.target.value);
        onCategory(splitCategories(event.target.value));
      }}
    />
  );
}

function splitCategories(text: string): string[] {
  const all = text.split(',').map((each) => each.trim());
  const filled = all.filter(Boolean);
  return filled.length > 0 ? filled : [''];
}

/** The arrow keys and Enter move to the same column of the next row. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>) {
  const steps: Record<string, number> = { ArrowDown: 1, Enter: 1, ArrowUp: -1 };
  const [step, from] = [steps[event.key], event.target];
  if (!step || !(from instanceof HTMLInputElement) || !from.dataset.column) return;
  const column = event.currentTarget.querySelectorAll<HTMLInputElement>(`[data-column="${from.dataset.column}"]`);
  const next = column[[...column].indexOf(from) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}
