// The form that answers a message by email. What could not be sent stays in the form.
import { type FormEvent, useState } from 'react';
import { errorMessage, fieldOf } from '~/api/error';
import type { Message } from '~/api/types';
import { Button } from '~/ui/button';
import { Banner } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { useReply } from './message-queries';
import { useReplyDraft } from './reply-draft';

const MAX_CHARS = 5000;

export function ReplyForm({ message }: { message: Message }) {
  const [text, setText] = useReplyDraft(message._id);
  const [error, setError] = useState('');
  const send = useReply(message._id);

  const submit = (done: boolean) => {
    if (send.isPending) return;
    const problem = check(text);
    setError(problem);
    if (!problem) send.mutate({ text, done }, { onSuccess: () => setText('') });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(false);
  };
  const isField = fieldOf(send.error, ['text']) === 'text';
  const isSending = (done: boolean) => send.isPending && send.variables.done === done;

  return (
    <form onSubmit={onSubmit} noValidate className="mt-6 border-t border-line pt-5">
      <TextArea
        label="Reply"
        rows={7}
        value={text}
        readOnly={send.isPending}
        error={error || (isField ? errorMessage(send.error, 'The reply was not accepted') : undefined)}
        hint={<Recipient email={message.email} />}
        onChange={(event) => {
          setText(event.target.value);
          setError('');
        }}
      />
      <div role="alert" className="empty:hidden">
        {send.isError && !isField && (
          <Banner kind="error" className="mt-3">
            {errorMessage(send.error, 'Failed to send the reply')}
          </Banner>
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-3 max-sm:flex-col">
        <Button type="submit" busy={isSending(false)} disabled={send.isPending}>
          {isSending(false) ? 'Sending...' : 'Send reply'}
        </Button>
        {!message.doneAt && (
          <Button variant="secondary" busy={isSending(true)} disabled={send.isPending} onClick={() => submit(true)}>
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
