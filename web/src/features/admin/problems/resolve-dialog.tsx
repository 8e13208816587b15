// Resolves a problem: a replacement, a refund of its packs or of another amount, or words why not.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ListedProblem, Order, ProblemAction } from '~/api/types';
import type { FieldErrors } from '~/lib/form/form-errors';
import { useForm } from '~/lib/form/use-form';
import { checkText } from '~/lib/form/validation';
import { formatAmount } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { packsText } from '~/shared/order/packs';
import { restKeptText } from '~/shared/order/refund-state';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field, TextArea } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/icons';
import { checkAmount, packsAmount, parseRupees } from '../console/refund-amount';
import { orderQuery, useResolveProblem } from './problem-queries';

const MAX_MESSAGE_CHARS = 2000;

const texts: Record<ProblemAction, { title: string; button: string; busy: string; hint: string }> = {
  replace: {
    title: 'Send a replacement',
    button: 'Replace',
    busy: 'Replacing...',
    hint: 'A new order at ₹0, to the same address, takes these packs from stock now. The policy promises it within 7 days.',
  },
  refund: {
    title: 'Refund the customer',
    button: 'Refund',
    busy: 'Refunding...',
    hint: 'The money goes back to the account that it came from, within 3-5 days. No packs go back into stock.',
  },
  decline: {
    title: 'Decline the report',
    button: 'Decline',
    busy: 'Declining...',
    hint: 'The customer gets your words by e-mail and reads them on the order.',
  },
};

type Props = { problem: ListedProblem; action: ProblemAction | null; onClose: () => void };

export function ResolveDialog({ problem, action, onClose }: Props) {
  return (
    <Dialog open={action !== null} onClose={onClose} title={action ? texts[action].title : ''} width="32rem">
      {action && <ResolveForm problem={problem} action={action} onClose={onClose} />}
    </Dialog>
  );
}

const FIELDS = ['message', 'amount'] as const;
type Errors = FieldErrors<(typeof FIELDS)[number]>;
/** Without an amount, that of the packs. */
type Values = { message: string; amount: string | null };

function ResolveForm({
  problem,
  action,
  onClose,
}: {
  problem: ListedProblem;
  action: ProblemAction;
  onClose: () => void;
}) {
  const isRefund = action === 'refund';
  // A replacement was not paid: the money comes from the first order.
  const { data: order } = useQuery({ ...orderQuery(problem.paidOrderId), enabled: isRefund });
  const isWarned = action !== 'decline' && Boolean(problem.warning);
  const [isConfirmed, setConfirmed] = useState(false);
  const request = useResolveProblem(problem._id);
  const { button, busy: busyText, hint } = texts[action];

  const check = ({ message, amount }: Values): Errors => {
    const found: Errors = {};
    const isMissing = action === 'decline' && !message.trim();
    const words = isMissing
      ? 'The customer must read why'
      : checkText('Your words', message.replace(/[\r\n\t]/g, ' '), MAX_MESSAGE_CHARS);
    if (words) found.message = words;
    if (amount !== null) {
      const left = order?.refundableAmount ?? Number.POSITIVE_INFINITY;
      found.amount = checkAmount(parseRupees(amount), left);
    }
    return found;
  };
  const initial: Values = { message: '', amount: null };
  const form = useForm({ initial, fields: FIELDS, request, check, onChange: 'clear-all' });
  const busy = form.isPending;
  const send = form.submit(({ message, amount: typed }) => {
    const amount = typed === null ? undefined : (parseRupees(typed) ?? undefined);
    const evenIfRepeated = isWarned && isConfirmed;
    request.mutate({ action, message: message.trim(), amount, evenIfRepeated }, { onSuccess: onClose });
  });

  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-2 space-y-5">
      <p className="text-ink-soft">{hint}</p>
      <ul className="rounded-md bg-paper-deep px-4 py-3 font-semibold">
        {problem.lines.map((line) => (
          <li key={line.productId}>
            {problem.productNames[line.productId] ?? line.productId}: {packsText(line)}
          </li>
        ))}
      </ul>
      {isWarned && (
        <div className="space-y-2">
          <RepeatWarning problem={problem} />
          <label className="flex min-h-11 items-center gap-3 font-semibold">
            <input
              type="checkbox"
              className="size-5 accent-chilli-fill"
              checked={isConfirmed}
              disabled={busy}
              onChange={(event) => setConfirmed(event.target.checked)}
            />
            I know, {action === 'replace' ? 'replace' : 'refund'} them all the same
          </label>
        </div>
      )}
      {isRefund && problem.paidOrderId !== problem.orderId && (
        <p className="text-sm">The money comes from order {shortId(problem.paidOrderId)}, which was paid.</p>
      )}
      {isRefund && (
        <RefundAmount
          problem={problem}
          order={order ?? null}
          other={form.values.amount}
          error={form.errors.amount}
          disabled={busy}
          onChange={(amount) => form.change({ amount })}
        />
      )}
      <TextArea
        {...form.field('message')}
        label="Words for the customer"
        required={action === 'decline'}
        rows={3}
        disabled={busy}
      />
      {form.error && <Alert>{form.error.message}</Alert>}
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          Back
        </Button>
        <Button type="submit" busy={busy} disabled={isWarned && !isConfirmed}>
          {busy ? busyText : button}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Packs of the problem were replaced or refunded before. */
export function RepeatWarning({ problem }: { problem: ListedProblem }) {
  if (!problem.warning) return null;
  return (
    <p className="flex items-start gap-2.5 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">
      <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
      <span>Reported before: {problem.warning}</span>
    </p>
  );
}

type AmountProps = {
  problem: ListedProblem;
  order: Order | null;
  /** Null: the amount of the packs. */
  other: string | null;
  error?: string;
  disabled: boolean;
  onChange: (other: string | null) => void;
};

function RefundAmount({ problem, order, other, error, disabled, onChange }: AmountProps) {
  const name = useId();
  const chosen = Object.fromEntries(problem.lines.map(({ productId, ...packs }) => [productId, packs]));
  const radio = (isOther: boolean, label: string) => (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-line-strong bg-raised px-3.5 font-semibold has-checked:border-chilli-fill has-checked:bg-chilli-wash">
      <input
        type="radio"
        name={name}
        checked={(other !== null) === isOther}
        onChange={() => onChange(isOther ? '' : null)}
        className="size-5 accent-chilli-fill"
      />
      {label}
    </label>
  );
  return (
    <fieldset disabled={disabled} className="space-y-2">
      <legend className="sr-only">How much</legend>
      {radio(false, order ? `These packs: ${formatAmount(packsAmount(order, chosen))}` : 'These packs')}
      {radio(true, 'Another amount')}
      {order && order.restKept > 0 && (
        <p className="font-semibold tabular-nums">
          {restKeptText(order.restKept)}. The problem is closed without a refund.
        </p>
      )}
      {other !== null && (
        <Field
          label="Amount in rupees"
          inputMode="decimal"
          autoComplete="off"
          value={other}
          error={error}
          hint={order ? `At most ${formatAmount(order.refundableAmount)}` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </fieldset>
  );
}
