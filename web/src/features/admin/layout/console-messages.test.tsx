// @vitest-environment happy-dom
// Messages in the console, on a small server of their own: the count in the sidebar, pages, states and keys. On a phone they
// are in web/e2e.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Message, User } from '~/api/types';
import { type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import AdminLayout from './admin-layout';

const MESSAGES = '/admins?section=messages';
const AT = '2026-11-14T07:00:00Z';
const user = { _id: 'u1', name: 'Asha', email: 'asha@it.example', role: 'admin' } as User;
const message = (index: number, more: Partial<Message> = {}): Message => ({
  _id: `m${index}`,
  name: 'Asha Kulkarni',
  email: 'asha@example.com',
  message: `Question ${index}\nIs the goda masala vegan?`,
  createdAt: '2026-11-14T06:35:00Z',
  readAt: null,
  doneAt: null,
  canReply: true,
  replies: [],
  ...more,
});

function serve(first: Message[]) {
  let all = first;
  const changes: unknown[] = [];
  const unread = () => all.filter(({ readAt, doneAt }) => !readAt && !doneAt).length;
  const find = (id: string) => ({ message: all.find(({ _id }) => _id === id) });
  const change = (id: string, body: { read?: boolean; done?: boolean }) => {
    changes.push(body);
    const at = (value: boolean | undefined, was: string | null) => (value === undefined ? was : value ? AT : null);
    all = all.map((each) =>
      each._id === id ? { ...each, readAt: at(body.read, each.readAt), doneAt: at(body.done, each.doneAt) } : each,
    );
    return find(id);
  };
  const list = ({ call }: MockRequest) => {
    const query = new URLSearchParams(call.split('?')[1]);
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const found = all.filter(({ doneAt }) => (doneAt !== null) === (query.get('state') === 'done'));
    const messages = found.slice((page - 1) * limit, page * limit);
    return {
      messages,
      total: found.length,
      unread: unread(),
      page,
      pages: Math.max(1, Math.ceil(found.length / limit)),
    };
  };
  mockApi({
    ...signedIn,
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/admin/to-do': () => ({ ...nothingToDo, messages: unread() }),
    'GET /api/admin/messages': list,
    ...Object.fromEntries(
      first.flatMap(({ _id }) => [
        [`GET /api/admin/messages/${_id}`, () => find(_id)],
        [`GET /api/admin/messages/${_id}/sender`, { customer: null, orders: [] }],
        [`PUT /api/admin/messages/${_id}`, ({ body }: MockRequest) => change(_id, body as object)],
      ]),
    ),
  });
  return changes;
}
const open = (url = MESSAGES) => renderApp(<AdminLayout user={user} />, url);

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} })),
);

const items = () => within(screen.getByRole('list', { name: 'List of messages' })).getAllByRole('link');
const item = (index: number) => items()[index] as HTMLElement;
const listed = (count: number) => waitFor(() => expect(items()).toHaveLength(count));
/** The link of the sidebar, which is before those of the sheet. */
const sectionLink = async (unread: number) => {
  const name = new RegExp(`^Messages ?${unread} unread$`);
  await waitFor(() => screen.getAllByRole('link', { name }));
};
const query = (text: string) => waitFor(() => expect(window.location.search).toBe(text));

it('the sidebar counts unread messages; opening one marks it as read, also after a reload', async () => {
  const changes = serve([message(3), message(2), message(1, { readAt: AT })]);
  const view = open();
  await sectionLink(2);
  await listed(3);
  await view.user.click(item(0));
  await within(await screen.findByRole('article', { name: 'Asha Kulkarni' })).findByText(/Question 3/);
  await sectionLink(1);
  expect(changes).toEqual([{ read: true }]);
  const url = window.location.pathname + window.location.search;
  view.unmount();
  const { user: person } = open(url);
  await screen.findByRole('article', { name: 'Asha Kulkarni' });
  await person.click(screen.getByRole('button', { name: 'Mark as unread' }));
  await sectionLink(2);
  await query('?section=messages');
});

it('state and page are in the URL; arrow keys move between messages, Enter opens one', async () => {
  const done = message(40, { doneAt: AT, readAt: AT });
  serve([...Array.from({ length: 23 }, (_, index) => message(30 - index)), done]);
  const { user: person } = open();
  const article = () => screen.findByRole('article', { name: 'Asha Kulkarni' });
  await screen.findByRole('list', { name: 'List of messages' });
  await listed(20);
  await person.click(screen.getByRole('button', { name: 'Next' }));
  await listed(3);
  await query('?section=messages&page=2');
  item(0).focus();
  await person.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(item(1));
  await person.keyboard('{Enter}');
  await within(await article()).findByText(/Question 9/);
  await person.click(screen.getByRole('radio', { name: 'Done' }));
  await query('?section=messages&state=done');
  await listed(1);
  await person.click(item(0));
  await person.click(await screen.findByRole('button', { name: 'Reopen' }));
  await screen.findByText('No message is done.');
  await person.click(screen.getByRole('button', { name: 'Mark as done' }));
  await listed(1);
});
