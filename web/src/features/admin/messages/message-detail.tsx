// One message: what the customer wrote, the replies, the reply form. Opening it marks it as read.
import { useEffect, useEffectEvent, useRef } from 'react';
import { errorMessage } from '~/api/error';
import type { Message } from '~/api/types';
import { formatDateTimeIst } from '~/lib/format';
import { Badge, type Tone } from '~/ui/badge';
import { Button } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { SectionLoading } from '../console/admin-section';
import { AuditLog } from '../console/audit-log';
import { showUpdateError, useMessage, useUpdateMessage } from './message-queries';
import { ReplyForm } from './reply-form';
import { Sender } from './sender';

type Reply = Message['replies'][number];

/** Mounted for each message anew. */
export function MessageDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: message, isPending, isPlaceholderData, error, refetch } = useMessage(id);
  const markRead = useUpdateMessage();
  const update = useUpdateMessage();
  const heading = useRef<HTMLHeadingElement>(null);

  // Once: a message that is marked as unread again stays unread.
  const isLoaded = message !== undefined && !isPlaceholderData;
  const open = useEffectEvent(() => {
    if (message && !message.readAt) markRead.mutate({ id, read: true });
  });
  useEffect(() => {
    if (isLoaded) open();
  }, [isLoaded]);

  // Beside the list the focus stays in the list.
  const isShown = message !== undefined;
  useEffect(() => {
    if (isShown && !matchMedia('(width >= 64rem)').matches) heading.current?.focus();
  }, [isShown]);

  if (isPending) {
    return <SectionLoading text="Loading message..." />;
  }
  if (!message) {
    return <ErrorState message={errorMessage(error, 'Failed to fetch the message')} onRetry={() => void refetch()} />;
  }
  const isDone = message.doneAt !== null;
  const change = (values: { read?: boolean; done?: boolean }, onSuccess?: () => void) =>
    update.mutate({ id, ...values }, { onError: showUpdateError, onSuccess });
  return (
    <article
      aria-labelledby="message-title"
      className="rounded-lg border border-line bg-surface p-5 shadow-card sm:p-7"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-60">
          <h2
            ref={heading}
            id="message-title"
            tabIndex={-1}
            className="font-sans text-xl font-bold outline-none [overflow-wrap:anywhere]"
          >
            {message.name || 'Without a name'}
          </h2>
          <p className="text-ink-soft [overflow-wrap:anywhere]">{message.email || 'Without an email address'}</p>
          <p className="text-sm text-ink-soft tabular-nums">
            <time dateTime={message.createdAt}>{formatDateTimeIst(message.createdAt)}</time>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:-ml-4">
          {isDone && <Badge tone="green">Done</Badge>}
          {!isDone && (
            <Button
              variant="ghost"
              size="sm"
              disabled={update.isPending}
              onClick={() => change({ read: false }, onClose)}
            >
              Mark as unread
            </Button>
          )}
          <Button
            variant="secondary"
            size="sm"
            busy={update.isPending && update.variables.done !== undefined}
            disabled={update.isPending}
            onClick={() => change({ done: !isDone })}
          >
            {isDone ? 'Reopen' : 'Mark as done'}
          </Button>
        </div>
      </div>
      <blockquote className="mt-5 border-l-3 border-turmeric pl-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {message.message || <span className="text-ink-soft">The message is empty.</span>}
      </blockquote>
      {message.replies.length > 0 && (
        <section aria-label="Replies" className="mt-6">
          <ol className="space-y-4">
            {message.replies.map((reply) => (
              <li key={reply._id}>
                <SentReply reply={reply} />
              </li>
            ))}
          </ol>
        </section>
      )}
      <Sender id={id} />
      {message.canReply ? (
        <ReplyForm message={message} />
      ) : (
        <p className="mt-6 rounded-md bg-turmeric-wash px-4 py-3">
          This message has no email address that a reply can be sent to.
        </p>
      )}
      <AuditLog about={id} className="mt-5" />
    </article>
  );
}

const deliveries: Record<Reply['delivery'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting to be sent', tone: 'yellow' },
  sent: { label: 'Sent', tone: 'green' },
  failing: { label: 'Not sent yet, it is tried again', tone: 'red' },
};

function SentReply({ reply }: { reply: Reply }) {
  const { label, tone } = deliveries[reply.delivery];
  return (
    <article aria-label={`Reply by ${reply.by}`} className="rounded-md bg-paper-deep px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
        <span className="font-semibold [overflow-wrap:anywhere]">{reply.by}</span>
        <time dateTime={reply.at} className="tabular-nums">
          {formatDateTimeIst(reply.at)}
        </time>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{reply.text}</p>
    </article>
  );
}
