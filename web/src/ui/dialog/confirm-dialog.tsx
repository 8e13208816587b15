// Asks for confirmation of an action that cannot be undone.
import type { ReactNode } from 'react';
import { Button } from '../button';
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
      {error && (
        <p role="alert" className="mt-4 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">
          {error}
        </p>
      )}
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
