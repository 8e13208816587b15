// The form of a discount code, in a dialog.
import { type FormEvent, useId, useState } from 'react';
import { fieldOf } from '~/api/error';
import type { Discount } from '~/api/types';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import {
  checkDiscount,
  DISCOUNT_FIELDS,
  type DiscountDraft,
  type DiscountErrors,
  draftOf,
  EMPTY_DRAFT,
  inputOf,
} from './discount-draft';
import { useSaveDiscount } from './discount-queries';
import { ScopeFields } from './scope-fields';

type Props = { open: boolean; discount: Discount | undefined; onClose: () => void };

export function DiscountDialog({ open, discount, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={discount ? `Edit ${discount.code}` : 'New discount code'}
      width="44rem"
    >
      {/* Mounted for each opening, with fields of its own. */}
      <DiscountForm discount={discount} onClose={onClose} />
    </Dialog>
  );
}

const KINDS: { kind: DiscountDraft['kind']; label: string }[] = [
  { kind: 'percent', label: 'Per cent' },
  { kind: 'amount', label: 'Amount' },
];

function DiscountForm({ discount, onClose }: Omit<Props, 'open'>) {
  const [draft, setDraft] = useState<DiscountDraft>(() => (discount ? draftOf(discount) : EMPTY_DRAFT));
  const [checked, setChecked] = useState<DiscountErrors>({});
  const name = useId();
  const save = useSaveDiscount(discount?._id);
  const busy = save.isPending;

  const rejected = fieldOf(save.error, DISCOUNT_FIELDS);
  const errors: DiscountErrors = { ...checked, ...(rejected && { [rejected]: save.error?.message }) };
  const change = (part: Partial<DiscountDraft>) => {
    setDraft({ ...draft, ...part });
    setChecked({});
    if (save.error) save.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkDiscount(draft);
    setChecked(found);
    if (Object.keys(found).length === 0) save.mutate(inputOf(draft), { onSuccess: onClose });
  };

  return (
    <form onSubmit={onSubmit} noValidate className="mt-5 space-y-5">
      <fieldset disabled={busy} className="space-y-5">
        <Field
          label="Code"
          required
          data-autofocus={discount ? undefined : true}
          readOnly={discount !== undefined}
          maxLength={24}
          autoComplete="off"
          spellCheck={false}
          value={draft.code}
          error={errors.code}
          hint={
            discount
              ? 'A code cannot be renamed. Pause it and add another one instead.'
              : 'Letters, digits and dashes. Customers may write it in small letters.'
          }
          onChange={(event) => change({ code: event.target.value.toUpperCase() })}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <fieldset>
            <legend className="mb-1.5 text-[0.9375rem] font-semibold">Kind</legend>
            <div className="grid grid-cols-2 gap-2">
              {KINDS.map(({ kind, label }) => (
                <label
                  key={kind}
                  className="flex min-h-12 cursor-pointer items-center gap-2.5 rounded-md border border-line-strong bg-raised px-3.5 font-semibold has-checked:border-chilli-fill has-checked:bg-chilli-wash"
                >
                  <input
                    type="radio"
                    name={name}
                    checked={draft.kind === kind}
                    onChange={() => change({ kind })}
                    className="size-5 accent-chilli-fill"
                  />
                  {label}
                </label>
              ))}
            </div>
          </fieldset>
          <Field
            label={draft.kind === 'percent' ? 'Per cent off' : 'Rupees off'}
            required
            inputMode="decimal"
            autoComplete="off"
            value={draft.value}
            error={errors.value}
            hint={draft.kind === 'amount' ? 'Never more than the items that it is for' : undefined}
            onChange={(event) => change({ value: event.target.value })}
          />
          <Field
            label="Minimum order in rupees"
            inputMode="decimal"
            autoComplete="off"
            value={draft.minTotal}
            error={errors.minTotal}
            hint="Before the discount. Empty: none"
            onChange={(event) => change({ minTotal: event.target.value })}
          />
          <Field
            label="Uses in all"
            inputMode="numeric"
            autoComplete="off"
            value={draft.maxUses}
            error={errors.maxUses}
            hint="Empty: any number"
            onChange={(event) => change({ maxUses: event.target.value })}
          />
          <Field
            label="From"
            type="datetime-local"
            value={draft.from}
            error={errors.from}
            hint="Time in India. Empty: at once"
            onChange={(event) => change({ from: event.target.value })}
          />
          <Field
            label="To"
            type="datetime-local"
            value={draft.to}
            error={errors.to}
            hint="The last minute, in India. Empty: no end"
            onChange={(event) => change({ to: event.target.value })}
          />
        </div>
        <div className="grid gap-x-5 sm:grid-cols-2">
          <Check
            label="First order only"
            checked={draft.firstOrderOnly}
            onChange={(firstOrderOnly) => change({ firstOrderOnly })}
          />
          <Check
            label="Once per customer"
            checked={draft.oncePerCustomer}
            onChange={(oncePerCustomer) => change({ oncePerCustomer })}
          />
        </div>
        <ScopeFields
          categories={draft.categories}
          products={draft.products}
          error={errors.categories ?? errors.products}
          onChange={change}
        />
      </fieldset>
      {save.error && !rejected && <Alert>{save.error.message}</Alert>}
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          Back
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : discount ? 'Save' : 'Add code'}
        </Button>
      </DialogActions>
    </form>
  );
}

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

export function Check({ label, checked, onChange }: CheckProps) {
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
