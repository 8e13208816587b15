// Asks again when packs of an order were replaced or refunded before: the server has said which.
import { hasCode } from '~/api/error';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';

/** The server refuses until the request says that the admin knows. */
export const isAboutRepeated = (error: unknown) => hasCode(error, 'problem_repeated');

type Props = {
  /** What the server says. Closed without it. */
  warning: string;
  /** What the confirming button says. */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
};

export function RepeatedQuestion({ warning, action, onConfirm, onClose }: Props) {
  return (
    <Dialog open={warning !== ''} onClose={onClose} title="Replaced or refunded before" width="34rem">
      <p className="mt-3 font-semibold [overflow-wrap:anywhere]">{warning}</p>
      <p className="mt-3 text-ink-soft">The customer would get the packs or their price twice.</p>
      <DialogActions>
        <Button variant="ghost" onClick={onClose} data-autofocus>
          Back
        </Button>
        <Button
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
