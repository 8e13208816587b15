// The dialogs to reply to a review and to hide it.
import type { ListedReview } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
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
  const request = useModerateReview(review._id);
  const form = useForm({ initial: { reply: review.reply?.text ?? '' }, fields: ['reply'], request });
  const send = form.submit((values) => request.mutate(values, { onSuccess: onDone }));
  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-4">
      <TextArea
        {...form.field('reply')}
        label="Your reply"
        rows={6}
        disabled={form.isPending}
        error={form.errors.reply || form.error?.message}
        hint="Everyone reads it below the review, under the name of the shop. An empty reply is deleted."
        data-autofocus
      />
      <DialogActions>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={form.isPending}>
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
  const request = useModerateReview(review._id);
  const form = useForm({
    initial: { reason: '' },
    fields: ['reason'],
    request,
    check: ({ reason }) => ({ reason: reason.trim() ? '' : 'Say why it is hidden' }),
  });
  const send = form.submit(({ reason }) => request.mutate({ hidden: true, reason }, { onSuccess: onDone }));
  return (
    <form ref={form.ref} onSubmit={send} noValidate className="mt-4">
      <p className="mb-5 text-ink-soft">
        Hide insults, private data or advertising. A bad rating is no reason: reply to it instead.
      </p>
      <Field
        {...form.field('reason')}
        label="Reason"
        required
        maxLength={300}
        disabled={form.isPending}
        error={form.errors.reason || form.error?.message}
        hint="It is kept in the history, and the customer sees it."
        data-autofocus
      />
      <DialogActions>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={form.isPending}>
          Hide review
        </Button>
      </DialogActions>
    </form>
  );
}
