// The form that answers a message by email. What could not be sent stays in the form.
import { errorMessage } from '~/api/error';
import type { Message } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { Button } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { useReply } from './message-queries';
import { readReplyDraft, writeReplyDraft } from './reply-draft';

const MAX_CHARS = 5000;

export function ReplyForm({ message }: { message: Message }) {
  const request = useReply(message._id);
  const form = useForm({
    initial: () => ({ text: readReplyDraft(message._id) }),
    fields: ['text'],
    request,
    check: ({ text }) => ({ text: check(text) }),
  });
  const setText = (text: string) => {
    form.change({ text });
    writeReplyDraft(message._id, text);
  };
  const send = (done: boolean) =>
    form.submit(({ text }) => request.mutate({ text, done }, { onSuccess: () => setText('') }));
  const isSending = (done: boolean) => request.isPending && request.variables.done === done;

  return (
    <form ref={form.ref} onSubmit={send(false)} noValidate className="mt-6 border-t border-line pt-5">
      <TextArea
        label="Reply"
        rows={7}
        {...form.field('text')}
        readOnly={form.isPending}
        hint={<Recipient email={message.email} />}
        onChange={(event) => setText(event.target.value)}
      />
      <div role="alert" className="empty:hidden">
        {form.error && (
          <Banner kind="error" className="mt-3">
            {errorMessage(form.error, 'Failed to send the reply')}
          </Banner>
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-3 max-sm:flex-col">
        <Button type="submit" busy={isSending(false)} disabled={form.isPending}>
          {isSending(false) ? 'Sending...' : 'Send reply'}
        </Button>
        {!message.doneAt && (
          <Button variant="secondary" busy={isSending(true)} disabled={form.isPending} onClick={send(true)}>
            {isSending(true) ? 'Sending...' : 'Send and mark as done'}
          </Button>
        )}
      </div>
    </form>
  );
}

function Recipient({ email }: { email: string }) {
  return <span className="[overflow-wrap:anywhere]">An email to {email}. It quotes the message above.</span>;
}

/** As crates/domain checks it. */
function check(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) return 'Reply is required';
  return [...trimmed].length > MAX_CHARS ? `Reply must be at most ${MAX_CHARS} characters` : '';
}
