// The form of a discount code, in a dialog.
import { useId } from 'react';
import type { Discount } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import { checkDiscount, DISCOUNT_FIELDS, type DiscountDraft, draftOf, EMPTY_DRAFT, inputOf } from './discount-draft';
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
  const name = useId();
  const request = useSaveDiscount(discount?._id);
  const form = useForm({
    initial: () => (discount ? draftOf(discount) : EMPTY_DRAFT),
    fields: DISCOUNT_FIELDS,
    request,
    check: checkDiscount,
    onChange: 'clear-all',
  });
  const { values: draft, errors, isPending: busy, change } = form;
  const send = form.submit(() => request.mutate(inputOf(draft), { onSuccess: onClose }));

  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-5 space-y-5">
      <fieldset disabled={busy} className="space-y-5">
        <Field
          {...form.field('code')}
          label="Code"
          required
          data-autofocus={discount ? undefined : true}
          readOnly={discount !== undefined}
          maxLength={24}
          autoComplete="off"
          spellCheck={false}
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
            {...form.field('value')}
            label={draft.kind === 'percent' ? 'Per cent off' : 'Rupees off'}
            required
            inputMode="decimal"
            autoComplete="off"
            hint={draft.kind === 'amount' ? 'Never more than the items that it is for' : undefined}
          />
          <Field
            {...form.field('minTotal')}
            label="Minimum order in rupees"
            inputMode="decimal"
            autoComplete="off"
            hint="Before the discount. Empty: none"
          />
          <Field
            {...form.field('maxUses')}
            label="Uses in all"
            inputMode="numeric"
            autoComplete="off"
            hint="Empty: any number"
          />
          <Field {...form.field('from')} label="From" type="datetime-local" hint="Time in India. Empty: at once" />
          <Field
            {...form.field('to')}
            label="To"
            type="datetime-local"
            hint="The last minute, in India. Empty: no end"
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
      {form.error && <Alert>{form.error.message}</Alert>}
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
