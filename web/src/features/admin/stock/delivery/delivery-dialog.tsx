// Receives a delivery of several products in one table: all of it or nothing.
import { useState } from 'react';
import { keysByContent } from '~/api/idempotency-key';
import type { ProductStock } from '~/api/types';
import { focusFirstError } from '~/lib/form/form-errors';
import { plural } from '~/lib/format';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field, inputClass } from '~/ui/forms/field';
import { ChoiceFilter } from '../../console/choice-filter';
import { useReceiveDelivery } from '../stock-queries';
import { gramsText } from '../stock-words';
import {
  checkDelivery,
  type DeliveryRow,
  type DeliveryRows,
  deliveryLines,
  EMPTY_ROW,
  inUnit,
  type WeightUnit,
} from './delivery-draft';

const UNITS: Record<WeightUnit, string> = { kg: 'Kilograms', g: 'Grams' };
/** More products than this are searched. */
const MAX_WITHOUT_SEARCH = 8;

type Props = { products: ProductStock[]; open: boolean; onClose: () => void };

export function DeliveryDialog({ products, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Receive a delivery" width="52rem">
      {/* Mounted for each opening: with fields of its own and idempotency keys of its own. */}
      {open && <DeliveryForm products={products} onClose={onClose} />}
    </Dialog>
  );
}

function DeliveryForm({ products, onClose }: Omit<Props, 'open'>) {
  const [keyOf] = useState(keysByContent);
  const [unit, setUnit] = useState<WeightUnit>('kg');
  const [rows, setRows] = useState<DeliveryRows>({});
  const [note, setNote] = useState('');
  const [search, setSearch] = useState('');
  const [isChecked, setChecked] = useState(false);
  const receive = useReceiveDelivery(keyOf);
  const errors = isChecked ? checkDelivery(rows, unit) : {};
  const lines = deliveryLines(rows, unit);
  const words = search.trim().toLowerCase();
  // What has an entry stays in view.
  const shown = products.filter(
    ({ productId, productName }) => productName.toLowerCase().includes(words) || rows[productId] !== undefined,
  );

  const change = (id: string, part: Partial<DeliveryRow>) => {
    receive.reset();
    setRows((now) => ({ ...now, [id]: { ...EMPTY_ROW, ...now[id], ...part } }));
  };
  const toUnit = (next: WeightUnit) => {
    setRows((now) =>
      Object.fromEntries(
        Object.entries(now).map(([id, row]) => [id, { ...row, weight: inUnit(row.weight, unit, next) }]),
      ),
    );
    setUnit(next);
  };
  const send = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (receive.isPending) return;
    setChecked(true);
    if (Object.keys(checkDelivery(rows, unit)).length > 0) {
      const form = event.currentTarget;
      requestAnimationFrame(() => focusFirstError(form));
      return;
    }
    if (lines.length > 0) receive.mutate({ lines, note: note.trim() }, { onSuccess: onClose });
  };
  const isEmpty = isChecked && lines.length === 0 && Object.keys(errors).length === 0;
  const grams = lines.reduce((sum, line) => sum + (line.grams ?? 0), 0);

  return (
    <form onSubmit={send} noValidate className="mt-2 space-y-4">
      <ChoiceFilter labels={UNITS} chosen={unit} onChange={toUnit} />
      {products.length > MAX_WITHOUT_SEARCH && (
        <Field
          label="Find a product"
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <fieldset disabled={receive.isPending}>
        <legend className="sr-only">What was delivered</legend>
        <div
          aria-hidden="true"
          className="grid grid-cols-[minmax(0,1fr)_repeat(3,8rem)] gap-x-3 border-b border-line pb-1 text-sm font-semibold text-ink-soft max-sm:hidden"
        >
          <span>Product</span>
          <span>Spice ({unit})</span>
          <span>50 g pouches</span>
          <span>100 g pouches</span>
        </div>
        <ul aria-label="Products" className="divide-y divide-line">
          {shown.map((product) => (
            <Row
              key={product.productId}
              product={product}
              unit={unit}
              row={rows[product.productId] ?? EMPTY_ROW}
              errors={errors[product.productId] ?? {}}
              onChange={(part) => change(product.productId, part)}
            />
          ))}
        </ul>
        {shown.length === 0 && <p className="py-6 text-center text-ink-soft">No product has this name.</p>}
        <Field
          className="mt-4"
          label="Note"
          hint="Such as the supplier. May be left empty"
          maxLength={200}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </fieldset>
      {isEmpty && <Alert>Enter what was delivered</Alert>}
      {receive.error && <Alert>{receive.error.message}</Alert>}
      <DialogActions>
        <p aria-live="polite" className="mr-auto self-center text-ink-soft tabular-nums">
          {lines.length > 0 && `${plural(lines.length, 'product')}, ${gramsText(grams)}`}
        </p>
        <Button variant="ghost" onClick={onClose}>
          Back
        </Button>
        <Button type="submit" busy={receive.isPending}>
          {receive.isPending ? 'Saving...' : 'Receive'}
        </Button>
      </DialogActions>
    </form>
  );
}

type RowProps = {
  product: ProductStock;
  unit: WeightUnit;
  row: DeliveryRow;
  errors: Partial<DeliveryRow>;
  onChange: (part: Partial<DeliveryRow>) => void;
};

function Row({ product: { productName, available }, unit, row, errors, onChange }: RowProps) {
  // The second part has no room on a phone.
  const fields: [keyof DeliveryRow, string, string][] = [
    ['weight', `Spice (${unit})`, ''],
    ['pouches50g', '50 g', ' pouches'],
    ['pouches100g', '100 g', ' pouches'],
  ];
  return (
    <li className="grid grid-cols-3 items-start gap-x-3 gap-y-1 py-2 sm:grid-cols-[minmax(0,1fr)_repeat(3,8rem)]">
      <p className="min-w-0 max-sm:col-span-3 sm:self-center">
        <span className="block font-semibold break-words">{productName}</span>
        <span className="block text-sm text-ink-soft tabular-nums">{gramsText(available.grams)} available</span>
      </p>
      {fields.map(([name, label, more]) => (
        <label key={name} className="block min-w-0 text-sm">
          <span className="text-ink-soft sm:sr-only">
            {label}
            <span className="sr-only">
              {more} of {productName}
            </span>
          </span>
          <input
            inputMode={name === 'weight' && unit === 'kg' ? 'decimal' : 'numeric'}
            autoComplete="off"
            value={row[name]}
            aria-invalid={errors[name] ? true : undefined}
            onChange={(event) => onChange({ [name]: event.target.value })}
            className={`${inputClass} !min-h-11 !px-3 !py-2 tabular-nums`}
          />
          {errors[name] && <span className="mt-1 block text-chilli">{errors[name]}</span>}
        </label>
      ))}
    </li>
  );
}
