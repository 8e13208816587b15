// The dialogs to reply to a review and to hide it.
import { type FormEvent, useState } from 'react';
import type { ListedReview } from '~/api/types';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Field, TextArea } from '~/ui/forms/field';
import { useModerateReview } from './review-queries';

type Props = { review: ListedReview; open: boolean; onClose: () => void };

export function ReplyDialog({ review, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Reply to the review" width="36rem">
      <ReplyForm review={review} onDone={onClose} />
    </Dialog>
  );
}

function ReplyForm({ review, onDone }: { review: ListedReview; onDone: () => void }) {
  const [text, setText] = useState(review.reply?.text ?? '');
  const save = useModerateReview(review._id, text.trim() ? 'Reply published' : 'Reply deleted');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ reply: text }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={onSubmit} noValidate className="mt-4">
      <TextArea
        label="Your reply"
        rows={6}
        value={text}
        disabled={save.isPending}
        error={save.error?.message}
        hint="Everyone reads it below the review, under the name of the shop. An empty reply is deleted."
        data-autofocus
        onChange={(event) => setText(event.target.value)}
      />
      <DialogActions>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={save.isPending}>
          Publish reply
        </Button>
      </DialogActions>
    </form>
  );
}

export function HideDialog({ review, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Hide this review?" width="32rem">
      <HideForm review={review} onDone={onClose} />
    </Dialog>
  );
}

function HideForm({ review, onDone }: { review: ListedReview; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const hide = useModerateReview(review._id, 'Review hidden');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!reason.trim());
    if (reason.trim()) hide.mutate({ hidden: true, reason }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={onSubmit} noValidate className="mt-4">
      <p className="mb-5 text-ink-soft">
        Hide insults, private data or advertising. A bad rating is no reason: reply to it instead.
      </p>
      <Field
        label="Reason"
        required
        maxLength={300}
        value={reason}
        disabled={hide.isPending}
        error={isMissing ? 'Say why it is hidden' : hide.error?.message}
        hint="It is kept in the history, and the customer sees it."
        data-autofocus
        onChange={(event) => {
          setReason(event.target.value);
          setMissing(false);
        }}
      />
      <DialogActions>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={hide.isPending}>
          Hide review
        </Button>
      </DialogActions>
    </form>
  );
}
