// The messages section: filter, list, and the message that the URL names. Beside the list on a wide screen, in its place
// on a narrow one.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { errorMessage } from '~/api/error';
import { plural } from '~/lib/format';
import { Button } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/icons';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { Pagination } from '../console/pagination';
import { toDoQuery } from '../console/to-do-query';
import { adminPath, useAdminUrl } from '../console/url-state';
import { MessageDetail } from './message-detail';
import { type MessageState, messagesUrl, STATE_LABELS } from './message-filter';
import { MessageList } from './message-list';
import { messagesQuery } from './message-queries';

export function MessagesSection() {
  const { query, go } = useAdminUrl();
  const view = messagesUrl.read(query);
  const { state, page, message: messageId } = view;
  const change = (part: Partial<typeof view>) => messagesUrl.write({ ...view, ...part });
  const list = useQuery(messagesQuery(state, page));
  const { data: toDo } = useQuery(toDoQuery);
  const unread = toDo?.messages ?? list.data?.unread ?? 0;
  const pages = Math.max(1, list.data?.pages ?? 1);
  const close = () => go(change({ message: '' }));
  useFocusReturn(messageId);

  // The last message of the last page was marked as done, or the URL names a page that does not exist.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && page > pages;
  const goBack = useEffectEvent(() => go(change({ page: pages }), { replace: true }));
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);

  const besideList = messageId ? 'max-lg:hidden' : '';
  return (
    <AdminSection
      title="Messages"
      count={list.data && plural(list.data.total, 'message') + (unread > 0 ? `, ${unread} unread` : '')}
    >
      <ChoiceFilter
        labels={STATE_LABELS}
        chosen={state}
        counts={{ unread }}
        className={besideList}
        onChange={(next) => go(messagesUrl.write({ state: next }))}
      />
      <div className="mt-5 grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(17rem,5fr)_8fr]">
        <div className={besideList}>
          {list.isPending ? (
            <SectionLoading text="Loading messages..." />
          ) : list.isError && !list.data ? (
            <ErrorState
              message={errorMessage(list.error, 'Failed to fetch messages')}
              onRetry={() => void list.refetch()}
            />
          ) : list.data?.messages.length === 0 ? (
            <NoMessages state={state} />
          ) : (
            <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition' : ''}>
              {list.isError && <Alert className="mb-3">{errorMessage(list.error, 'Failed to fetch messages')}</Alert>}
              <MessageList
                messages={list.data?.messages ?? []}
                selected={messageId}
                pathOf={(id) => adminPath('messages', change({ message: id }))}
              />
              {pages > 1 && (
                <Pagination
                  label="Pages of messages"
                  page={Math.min(page, pages)}
                  pages={pages}
                  onPage={(next) => go(change({ page: next, message: '' }))}
                />
              )}
            </div>
          )}
        </div>
        {messageId ? (
          <div className="min-w-0 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:rounded-lg">
            <Button variant="ghost" size="sm" className="mb-3 -ml-3 lg:hidden" onClick={close}>
              <Icon name="left" className="size-4" />
              Back to the list
            </Button>
            <MessageDetail key={messageId} id={messageId} onClose={close} />
          </div>
        ) : (
          <p className="rounded-lg border border-dashed border-line-strong px-6 py-20 text-center text-ink-soft max-lg:hidden">
            Choose a message to read it.
          </p>
        )}
      </div>
    </AdminSection>
  );
}

const emptyTexts: Record<MessageState, string> = {
  open: 'No open messages.',
  unread: 'No unread messages.',
  done: 'No message is done.',
  all: 'No messages yet.',
};

function NoMessages({ state }: { state: MessageState }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        {emptyTexts[state]}
      </p>
      <p className="mt-2 text-ink-soft">What customers write on the contact page is shown here.</p>
    </div>
  );
}

/** When a message is closed, the focus returns to its place in the list. */
function useFocusReturn(messageId: string): void {
  const last = useRef(messageId);
  useEffect(() => {
    const closed = messageId ? '' : last.current;
    last.current = messageId;
    if (closed) document.querySelector<HTMLElement>(`[data-message="${CSS.escape(closed)}"]`)?.focus();
  }, [messageId]);
}
