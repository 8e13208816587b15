// Confirms, with a reason, that the money of a cancelled or deleted order is kept.
import { errorMessage } from '~/api/error';
import type { OrderIssue } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { useResolveIssue } from '../order-queries';

type Props = { issue: OrderIssue; onClose: () => void };

export function KeepPayment({ issue, onClose }: Props) {
  const request = useResolveIssue();
  const form = useForm({
    initial: { reason: '' },
    fields: ['reason'],
    request,
    check: ({ reason }) => ({ reason: reason.trim() ? '' : 'Say why, or refund the order' }),
  });
  const send = form.submit(({ reason }) =>
    request.mutate({ id: issue._id, reason: reason.trim() }, { onSuccess: onClose }),
  );
  return (
    <Dialog open onClose={onClose} title="Keep the money?" width="32rem">
      <form ref={form.ref} onSubmit={send} noValidate className="mt-3 space-y-4">
        <p>{issue.detail}</p>
        <TextArea
          {...form.field('reason')}
          label="Why it is kept"
          required
          rows={2}
          maxLength={300}
          hint="It is stored in the order's history. The customer does not see it."
          data-autofocus
        />
        {form.error && <Alert>{errorMessage(form.error, 'Failed to settle')}</Alert>}
        <DialogActions>
          <Button variant="ghost" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={form.isPending}>
            Keep the money
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
