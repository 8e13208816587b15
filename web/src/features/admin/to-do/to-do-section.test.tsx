// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { parseQuery } from '~/lib/router/query-string';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import { parseSection } from '../console/url-state';
import { countAll, toDoEntries } from './to-do-list';
import { ToDoSection } from './to-do-section';

const open = (url = '/admins?section=to-do') => renderApp(<ToDoSection />, url);

it('each kind has an entry that leads to a list', () => {
  const one = Object.fromEntries(
    Object.entries(nothingToDo).map(([kind, value]) => [kind, typeof value === 'number' ? 1 : value]),
  ) as typeof nothingToDo;
  const entries = toDoEntries(one);
  expect(entries).toHaveLength(15);
  for (const { to, title } of entries) {
    const query = parseQuery(to.slice(to.indexOf('?')));
    expect(to).toContain(`section=${parseSection(query)}`);
    expect(title).not.toMatch(/orders|refunds|customers|problems|parcels|batches|emails|messages|products/);
  }
  expect(new Set(entries.map(({ kind }) => kind)).size).toBe(15);
  // An overdue order is also to pack or to ship.
  expect(countAll(one)).toBe(14);
  expect(toDoEntries(nothingToDo)).toEqual([]);
});

it('lists what is to do with its count', async () => {
  mockApi({ ...signedIn, 'GET /api/admin/to-do': { ...nothingToDo, toPack: 12, overdue: 1, lowStock: 3 } });
  open();
  const first = within(await screen.findByRole('region', { name: 'First' }));
  expect(first.getAllByRole('link')).toHaveLength(1);
  expect(first.getByRole('link').getAttribute('href')).toBe('/admins?section=orders&todo=overdue');
  const today = within(screen.getByRole('region', { name: 'Today' }));
  expect(today.getAllByRole('link').map((link) => link.textContent)).toEqual([
    '12orders to packPaid and confirmed',
    '3products run outBy the sales of the last 14 days',
  ]);
  screen.getByText('15 waiting');
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
