// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '~/api/types';
import { testCustomer, testCustomerOrder } from '~/testing/customer';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import { MessagesSection } from './messages-section';

const MESSAGES = '/admins?section=messages';

const message = (id: string, more: Partial<Message> = {}): Message => ({
  _id: id,
  name: `Person ${id}`,
  email: `${id}@example.in`,
  message: `Question of ${id}\nSecond line`,
  createdAt: '2026-11-14T06:35:00Z',
  readAt: null,
  doneAt: null,
  canReply: true,
  replies: [],
  ...more,
});

function open(messages: Message[], url = MESSAGES, responses: Record<string, unknown> = {}) {
  let all = messages;
  const find = (id: string) => all.find((each) => each._id === id);
  const change =
    (id: string) =>
    ({ body }: MockRequest) => {
      const { read, done } = body as { read?: boolean; done?: boolean };
      const at = (value: boolean | undefined, was: string | null | undefined) =>
        value === undefined ? (was ?? null) : value ? '2026-11-14T07:00:00Z' : null;
      all = all.map((each) =>
        each._id === id ? { ...each, readAt: at(read, each.readAt), doneAt: at(done, each.doneAt) } : each,
      );
      return { message: find(id) };
    };
  const list = () => {
    const shown = all.filter((each) => each.doneAt === null);
    const unread = shown.filter((each) => each.readAt === null).length;
    return { messages: shown, total: shown.length, unread, page: 1, pages: 1 };
  };
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/messages': list,
    'GET /api/admin/to-do': () => ({ ...nothingToDo, messages: list().unread }),
    ...Object.fromEntries(
      messages.flatMap(({ _id }) => [
        [`GET /api/admin/messages/${_id}`, () => ({ message: find(_id) })],
        [`PUT /api/admin/messages/${_id}`, change(_id)],
      ]),
    ),
    ...responses,
  });
  const changes = () => requests.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body);
  const lists = () => requests.filter(({ call }) => call.startsWith('GET /api/admin/messages?'));
  return { ...renderApp(<MessagesSection />, url), changes, lists };
}

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} })),
);

const items = () => within(screen.getByRole('list', { name: 'List of messages' })).getAllByRole('link');

it('lists messages with name, first line and what was done', async () => {
  open([message('m1'), message('m2', { name: '', readAt: '2026-11-14T07:00:00Z' })]);
  await screen.findByText('Person m1');
  expect(items().map((item) => item.textContent)).toEqual([
    'Unread: Person m114 Nov 2026, 12:05 pmQuestion of m1',
    'm2@example.in14 Nov 2026, 12:05 pmQuestion of m2',
  ]);
  await screen.findByText('2 messages, 1 unread');
});

it('marks a message as read when it is opened, once', async () => {
  const { user, changes } = open([message('m1'), message('m2', { readAt: '2026-11-14T07:00:00Z' })]);
  await user.click((await screen.findByText('Person m1')).closest('a') as HTMLElement);
  await screen.findByRole('heading', { name: 'Person m1' });
  await waitFor(() => expect(changes()).toEqual([{ read: true }]));
  expect(window.location.search).toBe('?section=messages&message=m1');
  await screen.findByText('2 messages');
  await user.click(items()[1] as HTMLElement);
  await screen.findByRole('heading', { name: 'Person m2' });
  expect(changes()).toHaveLength(1);
});

it('marks as done and reopens; the message stays open beside the list', async () => {
  const { user, changes } = open([message('m1', { readAt: '2026-11-14T07:00:00Z' })], `${MESSAGES}&message=m1`);
  await user.click(await screen.findByRole('button', { name: 'Mark as done' }));
  await screen.findByText('No open messages.');
  await user.click(await screen.findByRole('button', { name: 'Reopen' }));
  await waitFor(() => expect(items()).toHaveLength(1));
  expect(changes()).toEqual([{ done: true }, { done: false }]);
});

it('marks as unread and returns to the list', async () => {
  const { user, changes } = open([message('m1', { readAt: '2026-11-14T07:00:00Z' })], `${MESSAGES}&message=m1`);
  await user.click(await screen.findByRole('button', { name: 'Mark as unread' }));
  await waitFor(() => expect(window.location.search).toBe('?section=messages'));
  expect(changes()).toEqual([{ read: false }]);
  await waitFor(() => expect(document.activeElement?.getAttribute('data-message')).toBe('m1'));
});

it('filters by state, in the URL and in the request', async () => {
  const { user, lists } = open([message('m1')], `${MESSAGES}&message=m1&page=1`);
  await user.click(await screen.findByRole('radio', { name: 'Done' }));
  await waitFor(() => expect(lists().at(-1)?.call).toBe('GET /api/admin/messages?state=done&page=1&limit=20'));
  expect(window.location.search).toBe('?section=messages&state=done');
});

it('has no form for a message without an address', async () => {
  open([message('m1', { canReply: false, email: '' })], `${MESSAGES}&message=m1`);
  await screen.findByText('This message has no email address that a reply can be sent to.');
  expect(screen.queryByLabelText('Reply')).toBeNull();
  screen.getByText('Without an email address');
});

it('shows replies and how far their emails have come', async () => {
  const reply = (id: string, delivery: Message['replies'][number]['delivery']) => ({
    _id: id,
    text: `Text of ${id}`,
    by: 'owner@example.in',
    at: '2026-11-14T07:00:00Z',
    delivery,
  });
  const replies = [reply('r1', 'sent'), reply('r2', 'failing')];
  open([message('m1', { replies })], `${MESSAGES}&message=m1`);
  const shown = await screen.findAllByRole('article', { name: 'Reply by owner@example.in' });
  expect(shown.map((each) => each.textContent)).toEqual([
    'owner@example.inSat 14 Nov 2026, 12:30 pm ISTSentText of r1',
    'owner@example.inSat 14 Nov 2026, 12:30 pm ISTNot sent yet, it is tried againText of r2',
  ]);
});

it('shows a failure and tries again', async () => {
  const failed = errorStatus(500, 'internal', 'Something went wrong.');
  let response: unknown = failed;
  const { user } = open([], MESSAGES, { 'GET /api/admin/messages': () => response });
  await screen.findByText('Something went wrong.');
  response = { messages: [], total: 0, unread: 0, page: 1, pages: 1 };
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No open messages.');
});

it('says that a message does not exist', async () => {
  const missing = errorStatus(404, 'message_not_found', 'Message not found.');
  open([], `${MESSAGES}&message=m9`, { 'GET /api/admin/messages/m9': missing });
  await screen.findByText('Message not found.');
});

it('a slow response that is older than a reply does not hide it', async () => {
  const answered = message('m1', {
    readAt: '2026-11-14T07:00:00Z',
    replies: [
      { _id: 'r1', text: 'Yes, in 3-5 days.', by: 'owner@it.example', at: '2026-11-14T07:00:00Z', delivery: 'sent' },
    ],
  });
  let respond = (_: unknown) => {};
  const { user } = open([message('m1')], `${MESSAGES}&message=m1`, {
    'GET /api/admin/messages/m1': () => new Promise((resolve) => (respond = resolve)),
    'POST /api/admin/messages/m1/reply': { message: answered },
  });
  await user.type(await screen.findByLabelText('Reply'), 'Yes');
  await user.click(screen.getByRole('button', { name: 'Send reply' }));
  await screen.findByText('Yes, in 3-5 days.');
  respond({ message: message('m1') });
  await new Promise((resolve) => setTimeout(resolve, 50));
  screen.getByText('Yes, in 3-5 days.');
});

it('says what failed where the error has no words', async () => {
  open([], MESSAGES, { 'GET /api/admin/messages': errorStatus(500, 'internal', '') });
  await screen.findByText('Failed to fetch messages');
});

it('shows the orders of the sender, with links', async () => {
  open([message('m1')], `${MESSAGES}&message=m1`, {
    'GET /api/admin/messages/m1/sender': { customer: testCustomer, orders: [testCustomerOrder] },
  });
  const part = within(await screen.findByRole('region', { name: 'Orders of the sender' }));
  const customer = await part.findByRole('link', { name: 'Asha Kulkarni' });
  expect(customer.getAttribute('href')).toBe('/admins?section=customers&customer=u1');
  expect(part.getByRole('link', { name: 'BBBB0002' }).getAttribute('href')).toBe(
    `/admins?section=orders&order=${testCustomerOrder._id}`,
  );
});

it('says that the sender has no account', async () => {
  open([message('m1')], `${MESSAGES}&message=m1`, {
    'GET /api/admin/messages/m1/sender': { customer: null, orders: [] },
  });
  await screen.findByText('No account has this email address.');
});
