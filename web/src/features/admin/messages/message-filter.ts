// The filter of the message list and the message that is open, in the URL.
import { anyText, keyOf, pageNumber, urlFilter } from '~/lib/router/url-filter';

export const MESSAGES_PER_PAGE = 20;

export const STATE_LABELS = { open: 'Open', unread: 'Unread', done: 'Done', all: 'All' };
export type MessageState = keyof typeof STATE_LABELS;

export const messagesUrl = urlFilter({ state: keyOf(STATE_LABELS, 'open'), page: pageNumber, message: anyText });
