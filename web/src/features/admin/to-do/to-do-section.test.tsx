// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { parseQuery } from '~/lib/router/query-string';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import { parseSection } from '../console/url-state';
import { countAll, countBySection, toDoEntries } from './to-do-list';
import { ToDoSection } from './to-do-section';

const open = (url = '/admins?section=to-do') => renderApp(<ToDoSection />, url);

const one = Object.fromEntries(
  Object.entries(nothingToDo).map(([kind, value]) => [kind, typeof value === 'number' ? 1 : value]),
) as typeof nothingToDo;

it('each kind has one entry that leads to its list', () => {
  const entries = toDoEntries(one);
  expect(entries).toHaveLength(14);
  for (const { to, title, section, action } of entries) {
    const query = parseQuery(to.slice(to.indexOf('?')));
    expect(parseSection(query)).toBe(section);
    expect(action).toMatch(/^[A-Z]/);
    expect(title).not.toMatch(/orders|refunds|customers|problems|parcels|batches|emails|messages|products/);
  }
  expect(new Set(entries.map(({ kind }) => kind)).size).toBe(14);
  expect(toDoEntries(nothingToDo)).toEqual([]);
});

it('the sum of the entries is the number of the section, and the sum of the sections is the number of all', () => {
  const toDo = { ...one, toPack: 14, parcels: 3, lowStock: 2 };
  const sections = countBySection(toDo);
  expect(sections).toEqual({
    'pack-and-ship': 14,
    orders: 5,
    problems: 1,
    shipments: 5,
    stock: 3,
    'to-do': 1,
    messages: 1,
  });
  expect(Object.values(sections).reduce((sum, count) => sum + count)).toBe(countAll(toDo));
  // Without a partner an order is shipped in the list of orders.
  expect(countBySection({ ...toDo, hasPartner: false })).toMatchObject({ orders: 6, shipments: 4 });
});

it('lists what is to do with its count and its action', async () => {
  mockApi({
    ...signedIn,
    'GET /api/admin/to-do': { ...nothingToDo, toPack: 12, overdue: 2, problems: 1, lowStock: 3 },
  });
  open();
  const links = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
  await screen.findByText('16 waiting');
  expect(links('First')).toEqual([['Decide 1', '/admins?section=problems&state=open']]);
  expect(links('Today')).toEqual([
    ['Pack 12', '/admins?section=pack-and-ship'],
    ['Restock 3', '/admins?section=stock&show=low'],
  ]);
  screen.getByText('12 orders to pack');
  // They are among the orders to pack.
  screen.getByText('2 orders are overdue: paid more than 7 days ago and not shipped.');
  expect(screen.getByRole('link', { name: 'Show them' }).getAttribute('href')).toBe(
    '/admins?section=orders&todo=overdue',
  );
});

it('says how many customers wait for the answer to their cancellation for too long', () => {
  const [waiting] = toDoEntries({ ...nothingToDo, cancellations: 2 });
  expect(waiting).toMatchObject({ count: 2, hint: 'Accept or decline within a day' });
  expect(waiting?.to).toBe('/admins?section=orders&todo=cancellation');
  const [late] = toDoEntries({ ...nothingToDo, cancellations: 2, overdueCancellations: 1 });
  expect(late?.hint).toMatch(/^1 overdue/);
});

it('is empty when nothing waits', async () => {
  mockApi({ ...signedIn, 'GET /api/admin/to-do': nothingToDo });
  open();
  await screen.findByText('Nothing is waiting for you.');
});

it('shows emails that were not delivered', async () => {
  mockApi({
    ...signedIn,
    'GET /api/admin/to-do': { ...nothingToDo, failedEmails: 1 },
    'GET /api/admin/failed-emails': {
      emails: [
        {
          _id: 'e1',
          orderId: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d',
          recipient: 'gone@example.com',
          subject: 'Your order',
          attempts: 6,
          error: 'no such mailbox',
          createdAt: '2026-11-14T06:35:00Z',
          nextAttemptAt: '2026-11-14T07:35:00Z',
        },
      ],
    },
  });
  open('/admins?section=to-do&show=emails');
  await screen.findByText('gone@example.com');
  screen.getByText('no such mailbox');
  expect(screen.getByRole('link', { name: /^Order/ }).getAttribute('href')).toContain('orderId=0199f1c4');
});
