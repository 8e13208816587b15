// For a shop that wants to know who got what: number and dates of a batch that is received. Folded away until it is chosen.
import type { ProductStock } from '~/api/types';
import { Alert } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import type { MovementDraft, MovementErrors } from './movement-draft';
import { gramsText, isTooOld, MIN_DAYS_LEFT } from './stock-words';

type Props = {
  draft: MovementDraft;
  errors: MovementErrors;
  stock: ProductStock;
  onChange: (part: Partial<MovementDraft>) => void;
};

export function BatchFields({ draft, errors, stock, onChange }: Props) {
  return (
    <div>
      <Check
        label="It is a batch with a number"
        checked={draft.isBatch}
        onChange={(isBatch) => onChange({ isBatch })}
      />
      {draft.isBatch && (
        <div className="mt-3 space-y-4 rounded-md border border-line bg-raised px-4 py-4">
          <p className="text-sm text-ink-soft">
            Packing takes the batch that ends first and prints it on the slip. Nothing with less than {MIN_DAYS_LEFT}{' '}
            days left is sold or packed.
          </p>
          <div className="grid gap-4 sm:grid-cols-3">
            <Field
              label="Batch number"
              required
              maxLength={40}
              autoComplete="off"
              spellCheck={false}
              value={draft.number}
              error={errors.number}
              onChange={(event) => onChange({ number: event.target.value })}
            />
            <Field
              label="Made on"
              type="date"
              value={draft.madeOn}
              error={errors.madeOn}
              onChange={(event) => onChange({ madeOn: event.target.value })}
            />
            <Field
              label="Best before"
              type="date"
              required
              value={draft.bestBefore}
              error={errors.bestBefore}
              onChange={(event) => onChange({ bestBefore: event.target.value })}
            />
          </div>
          {draft.bestBefore !== '' && isTooOld(draft.bestBefore, Date.now()) && (
            <Alert>It has less than {MIN_DAYS_LEFT} days left, so it cannot be sold.</Alert>
          )}
          {stock.gramsWithoutBatch > 0 && (
            <Check
              label={`It is in the shop already (${gramsText(stock.gramsWithoutBatch)} have no batch)`}
              checked={draft.inStock}
              onChange={(inStock) => onChange({ inStock })}
            />
          )}
        </div>
      )}
    </div>
  );
}

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-6 shrink-0 accent-chilli-fill"
      />
      {label}
    </label>
  );
}
