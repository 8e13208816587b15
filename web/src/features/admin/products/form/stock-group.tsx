// The three stock counts of a product. A field of an existing product takes the counted number or a change, because
// customers buy while this form is open.
import type { Product } from '~/api/types';
import { formatNumber } from '~/lib/format';
import { Field } from '~/ui/forms/field';
import { FieldGroup } from './field-group';
import { COUNTS, type Count, countAfter, type FormErrors, type ProductValues, parseCount } from './product-form-model';

const labels: Record<Count, string> = {
  stock: 'Stock (grams)',
  packaging_50gms: '50 g pouches',
  packaging_100gms: '100 g pouches',
};

type Props = {
  values: ProductValues;
  editing: Product | null;
  errors: FormErrors;
  onChange: (change: (now: ProductValues) => ProductValues) => void;
};

export function StockGroup({ values, editing, errors, onChange }: Props) {
  return (
    <FieldGroup title="Stock" columns="sm:grid-cols-3">
      {editing && (
        <p className="text-sm text-ink-soft sm:col-span-3">
          Enter the number that you counted, or a change like +500 or -20. Packs that are sold while this form is open
          are taken off a counted number when you save.
        </p>
      )}
      {COUNTS.map((count) => {
        const shared = {
          label: labels[count],
          name: count,
          value: values[count],
          error: errors[count],
          onChange: (event: { target: { value: string } }) =>
            onChange((now) => ({ ...now, [count]: event.target.value })),
        };
        if (!editing) return <Field key={count} {...shared} type="number" min={0} step={1} />;
        return (
          <Field
            key={count}
            {...shared}
            hint={hintOf(values[count], editing[count])}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
          />
        );
      })}
    </FieldGroup>
  );
}

function hintOf(text: string, present: number): string {
  const count = parseCount(text);
  const after = count ? countAfter(count, present) : present;
  const now = `${formatNumber(present)} there now`;
  return after === present ? now : `${now}, then ${formatNumber(after)}`;
}
