// Refunds an order: all that is left, chosen packs, or another amount. The amount follows what is chosen.
import { type ReactNode, useId, useState } from 'react';
import { keysByContent } from '~/api/idempotency-key';
import type { Order } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { formatAmount } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { PackSteppers } from '~/shared/order/pack-steppers';
import { restKeptText } from '~/shared/order/refund-state';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field, TextArea } from '~/ui/forms/field';
import { packsLeft, restAfter } from '../../console/refund-amount';
import { isAboutRepeated } from '../cancellation/repeated-question';
import { isLost, wasSent } from '../leaving/leaving';
import {
  canRestock,
  checkRefund,
  newDraft,
  REFUND_FIELDS,
  type RefundChoice,
  type RefundDraft,
  refundAmount,
  refundInput,
} from './refund-draft';
import { useRefundOrder } from './refund-queries';

type Props = { order: Order; open: boolean; onClose: () => void };

export function RefundDialog({ order, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={`Refund order ${shortId(order._id)}`} width="38rem">
      {/* Mounted for each opening: with fields of its own and idempotency keys of its own. */}
      <RefundForm order={order} onClose={onClose} />
    </Dialog>
  );
}

const CHOICES: { choice: RefundChoice; label: string }[] = [
  { choice: 'all', label: 'Whole order' },
  { choice: 'packs', label: 'Chosen packs' },
  { choice: 'amount', label: 'Another amount' },
];

function RefundForm({ order, onClose }: Omit<Props, 'open'>) {
  const [keyOf] = useState(keysByContent);
  const name = useId();
  const request = useRefundOrder(order._id, keyOf);
  const form = useForm({
    initial: () => newDraft(order),
    fields: REFUND_FIELDS,
    request,
    check: (draft) => checkRefund(order, draft),
    onChange: 'clear-all',
  });
  const { values: draft, errors, isPending: busy } = form;
  // Packs were replaced before: what the server says about them.
  const [warning, setWarning] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const left = order.refundableAmount;
  const isRestockable = canRestock(order, draft);
  const rest = restAfter(order, refundAmount(order, draft));

  const changePacks = (part: Pick<RefundDraft, 'choice'> | Pick<RefundDraft, 'packs'>) => {
    form.change(part);
    setWarning('');
    setConfirmed(false);
  };
  const onError = (error: unknown) => {
    if (isAboutRepeated(error)) setWarning(error.message);
  };
  const send = form.submit(() => {
    const input = { ...refundInput(order, draft), version: order.version };
    request.mutate(isConfirmed ? { ...input, evenIfRepeated: true } : input, { onSuccess: onClose, onError });
  });

  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-2 space-y-5">
      <p className="text-ink-soft tabular-nums">
        <b className="text-ink">{formatAmount(left)}</b> of {formatAmount(order.totalAmount)} can still be refunded. The
        order's status stays as it is.
      </p>
      <fieldset disabled={busy}>
        <legend className="sr-only">What is refunded</legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {CHOICES.map(({ choice, label }) => (
            <label
              key={choice}
              className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-line-strong bg-raised px-3.5 font-semibold has-checked:border-chilli-fill has-checked:bg-chilli-wash"
            >
              <input
                type="radio"
                name={name}
                checked={draft.choice === choice}
                onChange={() => changePacks({ choice })}
                className="size-5 accent-chilli-fill"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {draft.choice === 'packs' && (
        <div
          role="group"
          aria-label="Packs to refund"
          tabIndex={-1}
          data-invalid={errors.lines ? true : undefined}
          className="outline-none"
        >
          <PackSteppers
            items={order.items}
            chosen={draft.packs}
            max={(item) => packsLeft(order, item)}
            showPrices
            disabled={busy}
            onChange={(packs) => changePacks({ packs })}
          />
          <FieldError text={errors.lines} />
        </div>
      )}
      {draft.choice === 'amount' ? (
        <Field
          {...form.field('amount')}
          label="Amount in rupees"
          inputMode="decimal"
          autoComplete="off"
          disabled={busy}
          hint={`At most ${formatAmount(left)}`}
        />
      ) : (
        <FieldError text={errors.amount} />
      )}
      <TextArea
        {...form.field('reason')}
        label="Reason"
        required
        rows={2}
        maxLength={300}
        disabled={busy}
        hint="The customer reads it."
      />
      {draft.choice !== 'amount' && !isRestockable && (
        <p className="text-ink-soft">
          {isLost(order)
            ? 'The parcel is lost: nothing goes back into stock.'
            : 'The order holds none of these packs: nothing goes back into stock.'}
        </p>
      )}
      {isRestockable && (
        <label className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            checked={draft.restock}
            disabled={busy}
            onChange={(event) => form.change({ restock: event.target.checked })}
            className="size-6 accent-chilli-fill"
          />
          {wasSent(order) ? 'The packs came back: put them back into stock' : 'Put the packs back into stock'}
        </label>
      )}
      {warning && (
        <div className="space-y-2">
          <Alert>{warning} The customer would have the packs and their price.</Alert>
          <label className="flex min-h-11 items-center gap-3 font-semibold">
            <input
              type="checkbox"
              className="size-5 accent-chilli-fill"
              checked={isConfirmed}
              disabled={busy}
              onChange={(event) => setConfirmed(event.target.checked)}
            />
            I know, refund them all the same
          </label>
        </div>
      )}
      {form.error && !isAboutRepeated(form.error) && <Alert>{form.error.message}</Alert>}
      {rest > 0 && <p className="font-semibold tabular-nums">{restKeptText(rest)}.</p>}
      <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-5">
        <Amount value={refundAmount(order, draft)} />
        <Button variant="ghost" onClick={onClose}>
          Back
        </Button>
        <Button type="submit" busy={busy} disabled={warning !== '' && !isConfirmed}>
          {busy ? 'Refunding...' : 'Refund'}
        </Button>
      </div>
    </form>
  );
}

function Amount({ value }: { value: number | null }) {
  return (
    <p className="mr-auto">
      <span className="block text-sm text-ink-soft">Refund</span>
      <output className="text-2xl font-bold tabular-nums">{value === null ? '–' : formatAmount(value)}</output>
    </p>
  );
}

function FieldError({ text }: { text: ReactNode }) {
  return text ? <p className="mt-1.5 text-sm text-chilli">{text}</p> : null;
}
