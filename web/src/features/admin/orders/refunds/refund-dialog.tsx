// Refunds an order: all that is left, chosen packs, or another amount. The amount follows what is chosen.
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ApiError, fieldOf } from '~/api/error';
import { keysByContent } from '~/api/idempotency-key';
import type { Order } from '~/api/types';
import { formatRupees } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { PackSteppers } from '~/shared/order/pack-steppers';
import { restKeptText } from '~/shared/order/refund-state';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field, TextArea } from '~/ui/forms/field';
import { packsLeft, restAfter } from '../../console/refund-amount';
import { isLost, wasSent } from '../leaving/leaving';
import {
  canRestock,
  checkRefund,
  newDraft,
  REFUND_FIELDS,
  type RefundChoice,
  type RefundDraft,
  type RefundErrors,
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
  const [draft, setDraft] = useState<RefundDraft>(() => newDraft(order));
  const [checked, setChecked] = useState<RefundErrors>({});
  const [keyOf] = useState(keysByContent);
  const name = useId();
  const refund = useRefundOrder(order._id, keyOf);
  // Packs were replaced before: what the server says about them.
  const [warning, setWarning] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const busy = refund.isPending;
  const left = order.refundableAmount;
  const isRestockable = canRestock(order, draft);
  const rest = restAfter(order, refundAmount(order, draft));

  const rejected = fieldOf(refund.error, REFUND_FIELDS);
  const errors: RefundErrors = { ...checked, ...(rejected && { [rejected]: refund.error?.message }) };
  const change = (part: Partial<RefundDraft>) => {
    setDraft({ ...draft, ...part });
    setChecked({});
    if (part.choice || part.packs) {
      setWarning('');
      setConfirmed(false);
    }
  };
  const onError = (error: unknown) => {
    if (isAboutReplaced(error)) setWarning(error.message);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkRefund(order, draft);
    setChecked(found);
    refund.reset();
    if (Object.keys(found).length > 0) return;
    const input = { ...refundInput(order, draft), version: order.version };
    refund.mutate(isConfirmed ? { ...input, evenIfRepeated: true } : input, { onSuccess: onClose, onError });
  };

  return (
    <form onSubmit={onSubmit} noValidate className="mt-2 space-y-5">
      <p className="text-ink-soft tabular-nums">
        <b className="text-ink">{formatRupees(left)}</b> of {formatRupees(order.totalAmount)} can still be refunded. The
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
                onChange={() => change({ choice })}
                className="size-5 accent-chilli-fill"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {draft.choice === 'packs' && (
        <div role="group" aria-label="Packs to refund">
          <PackSteppers
            items={order.items}
            chosen={draft.packs}
            max={(item) => packsLeft(order, item)}
            showPrices
            disabled={busy}
            onChange={(packs) => change({ packs })}
          />
          <FieldError text={errors.lines} />
        </div>
      )}
      {draft.choice === 'amount' ? (
        <Field
          label="Amount in rupees"
          inputMode="decimal"
          autoComplete="off"
          value={draft.amount}
          disabled={busy}
          error={errors.amount}
          hint={`At most ${formatRupees(left)}`}
          onChange={(event) => change({ amount: event.target.value })}
        />
      ) : (
        <FieldError text={errors.amount} />
      )}
      <TextArea
        label="Reason"
        required
        rows={2}
        maxLength={300}
        value={draft.reason}
        disabled={busy}
        error={errors.reason}
        hint="The customer reads it."
        onChange={(event) => change({ reason: event.target.value })}
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
            onChange={(event) => change({ restock: event.target.checked })}
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
      {refund.error && !rejected && !isAboutReplaced(refund.error) && <Alert>{refund.error.message}</Alert>}
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

const isAboutReplaced = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'problem_repeated';

function Amount({ value }: { value: number | null }) {
  return (
    <p className="mr-auto">
      <span className="block text-sm text-ink-soft">Refund</span>
      <output className="text-2xl font-bold tabular-nums">{value === null ? '–' : formatRupees(value, 2)}</output>
    </p>
  );
}

function FieldError({ text }: { text: ReactNode }) {
  return text ? <p className="mt-1.5 text-sm text-chilli">{text}</p> : null;
}
