// Asks for confirmation of an action that cannot be undone.
import { Button } from './button';
import { Dialog } from './dialog';

type Props = {
  open: boolean;
  question: string;
  hint?: string;
  /** What the confirming button says; a verb, not 'OK'. */
  action: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog({ open, question, hint, action, busy, onConfirm, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={question} width="26rem">
      {hint && <p className="mt-3 text-ink-soft">{hint}</p>}
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        <Button variant="ghost" onClick={onClose} autoFocus>
          Cancel
        </Button>
        <Button busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
