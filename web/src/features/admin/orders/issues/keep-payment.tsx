// Confirms, with a reason, that the money of a cancelled or deleted order is kept.
import { type FormEvent, useState } from 'react';
import { errorMessage } from '~/api/error';
import type { OrderIssue } from '~/api/types';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { useResolveIssue } from '../order-queries';

type Props = { issue: OrderIssue; onClose: () => void };

export function KeepPayment({ issue, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const resolve = useResolveIssue();
  const isMissing = reason.trim() === '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isMissing) resolve.mutate({ id: issue._id, reason: reason.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title="Keep the money?" width="32rem">
      <form onSubmit={onSubmit} noValidate className="mt-3 space-y-4">
        <p>{issue.detail}</p>
        <TextArea
          label="Why it is kept"
          required
          rows={2}
          maxLength={300}
          value={reason}
          error={isChecked && isMissing ? 'Say why, or refund the order' : undefined}
          hint="It is stored in the order's history. The customer does not see it."
          onChange={(event) => setReason(event.target.value)}
          data-autofocus
        />
        {resolve.isError && <Alert>{errorMessage(resolve.error, 'Failed to settle')}</Alert>}
        <DialogActions>
          <Button variant="ghost" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={resolve.isPending}>
            Keep the money
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
