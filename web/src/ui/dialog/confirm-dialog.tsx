// Asks for confirmation of an action that cannot be undone.
import type { ReactNode } from 'react';
import { Button } from '../button';
import { Alert } from '../feedback/alert';
import { Dialog, DialogActions } from './dialog';

type Props = {
  open: boolean;
  question: string;
  hint?: ReactNode;
  /** What the confirming button says; a verb, not 'OK'. Without one there is nothing left to confirm. */
  action: string | undefined;
  /** What the other button says. */
  dismiss?: string;
  busy?: boolean;
  /** Why the action failed. */
  error?: string;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog({
  open,
  question,
  hint,
  action,
  dismiss = 'Cancel',
  busy,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={question} width="26rem">
      {hint && <div className="mt-3 text-ink-soft">{hint}</div>}
      {error && <Alert className="mt-4">{error}</Alert>}
      <DialogActions>
        <Button variant="ghost" onClick={onClose} data-autofocus>
          {dismiss}
        </Button>
        {action && (
          <Button busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
