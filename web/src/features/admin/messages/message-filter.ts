// The filter of the message list, read from the URL.
import type { QueryString } from '~/lib/router/query-string';
import { parsePage, type UrlValues } from '../console/url-state';

export const MESSAGES_PER_PAGE = 20;

export const MESSAGE_STATES = ['open', 'unread', 'done', 'all'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const stateLabels: Record<MessageState, string> = { open: 'Open', unread: 'Unread', done: 'Done', all: 'All' };

export type MessageView = { state: MessageState; page: number; messageId: string };

export function messageView(query: QueryString): MessageView {
  return {
    state: MESSAGE_STATES.find((state) => state === query.get('state')) ?? 'open',
    page: parsePage(query.get('page')),
    messageId: query.get('message'),
  };
}

/** The same view with a change, for the URL. Defaults are left out. */
export function viewValues({ state, page, messageId }: MessageView, change: Partial<MessageView> = {}): UrlValues {
  const next = { state, page, messageId, ...change };
  return {
    state: next.state === 'open' ? undefined : next.state,
    page: next.page > 1 ? String(next.page) : undefined,
    message: next.messageId || undefined,
  };
}
