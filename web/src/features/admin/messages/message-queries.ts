// Queries and mutations of contact messages. A change shows in the list at once.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, post, put } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import { cancelAndInvalidate } from '~/api/queries/refetch';
import type { Message, MessagePage } from '~/api/types';
import { toast } from '~/ui/feedback/toast';
import { MESSAGES_PER_PAGE, type MessageState } from './message-filter';

const LIST_INTERVAL_MS = 60_000;
/** How often the state of an email is requested that waits to be sent. */
const QUEUED_INTERVAL_MS = 3_000;

export const messagesQuery = (state: MessageState, page: number) =>
  queryOptions({
    queryKey: adminKeys.messagePage(state, page),
    queryFn: () =>
      get('/api/admin/messages', {
        query: { state, page, limit: MESSAGES_PER_PAGE },
        fallback: 'Failed to fetch messages',
      }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: LIST_INTERVAL_MS,
    retry: false,
  });

/** Loaded on its own: a link may name a message that the list does not show. */
export function useMessage(id: string) {
  const client = useQueryClient();
  const listed = () =>
    client
      .getQueriesData<MessagePage>({ queryKey: adminKeys.messages })
      .flatMap(([, page]) => page?.messages ?? [])
      .find((message) => message._id === id);
  return useQuery({
    queryKey: adminKeys.message(id),
    queryFn: () =>
      get('/api/admin/messages/{id}', { path: { id }, fallback: 'Failed to fetch the message' }).then(
        (body) => body.message,
      ),
    placeholderData: listed,
    staleTime: 5_000,
    refetchInterval: ({ state }) =>
      state.data?.replies.some((reply) => reply.delivery === 'queued') ? QUEUED_INTERVAL_MS : false,
    retry: false,
  });
}

/** Who sent it, by the email address. */
export const senderQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.messageSender(id),
    queryFn: () => get('/api/admin/messages/{id}/sender', { path: { id }, fallback: 'Failed to fetch orders' }),
    staleTime: 30_000,
    retry: false,
  });

type Change = { id: string; read?: boolean; done?: boolean };

export function useUpdateMessage() {
  const show = useShowMessage();
  return useMutation({
    mutationFn: ({ id, ...change }: Change) =>
      put('/api/admin/messages/{id}', { path: { id }, body: change, fallback: 'Failed to update the message' }),
    // A message that is read stays in the list of unread ones until the list is loaded again.
    onSuccess: ({ message }, { done }) => show(message, done !== undefined),
  });
}

export function useReply(id: string) {
  const show = useShowMessage();
  return useMutation({
    mutationFn: (body: { text: string; done: boolean }) =>
      post('/api/admin/messages/{id}/reply', { path: { id }, body, fallback: 'Failed to send the reply' }),
    onSuccess: ({ message }, { done }) => {
      toast.success(done ? 'Reply sent, message done!' : 'Reply sent!');
      return show(message, done);
    },
  });
}

export const showUpdateError = (error: unknown) => toast.error(errorMessage(error, 'Failed to update the message'));

function useShowMessage() {
  const client = useQueryClient();
  return async (message: Message, isMoved: boolean) => {
    // A response that is still on its way is older.
    await client.cancelQueries({ queryKey: adminKeys.message(message._id) });
    client.setQueryData<Message>(adminKeys.message(message._id), message);
    client.setQueriesData<MessagePage>(
      { queryKey: adminKeys.messages },
      (page) => page && { ...page, messages: page.messages.map((each) => (each._id === message._id ? message : each)) },
    );
    void client.invalidateQueries({ queryKey: adminKeys.auditLog(message._id) });
    void cancelAndInvalidate(client, adminKeys.toDo);
    if (isMoved) await cancelAndInvalidate(client, adminKeys.messages);
  };
}
