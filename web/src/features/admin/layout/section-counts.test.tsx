// @vitest-environment happy-dom
import { useMutation, useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { put } from '~/api/client';
import type { User } from '~/api/types';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import type { Section } from '../console/url-state';
import { problemsQuery } from '../problems/problem-queries';
import { useRefreshToDo } from '../to-do/to-do-queries';
import { PhoneBar, Sidebar } from './sidebar';

const user = { _id: 'u1', name: 'Asha', email: 'asha@it.example', role: 'admin' } as User;
const shop = { 'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } } };

it.each<[Section, RegExp]>([
  // In the bar of a phone: its last button counts what waits in the sections behind it.
  ['orders', /^More.*sections ?7 waiting in other sections$/],
  // Not in the bar: the button stands for the section, with its own count.
  ['stock', /^Stock.*More sections ?3 to do$/],
  ['shipments', /^Shipments.*More sections ?4 need you$/],
  ['overview', /^Overview.*More sections$/],
])('the last button of the phone bar in %s', async (section, name) => {
  mockApi({
    ...signedIn,
    ...shop,
    'GET /api/admin/to-do': { ...nothingToDo, toConfirm: 9, lowStock: 2, oldBatches: 1, parcels: 4 },
  });
  renderApp(<Sidebar section={section} user={user} />, `/admins?section=${section}`);
  const orders = await screen.findByRole('link', { name: /^Orders ?9 to do$/ });
  expect(orders.getAttribute('href')).toBe('/admins?section=orders');
  screen.getByRole('button', { name });
});

it('the bell leads to what is to do', async () => {
  mockApi({ ...signedIn, ...shop, 'GET /api/admin/to-do': { ...nothingToDo, toPack: 9, lowStock: 2 } });
  renderApp(<PhoneBar />, '/admins');
  const bell = await screen.findByRole('link', { name: 'What is to do: 11' });
  expect(bell.getAttribute('href')).toBe('/admins?section=to-do');
});

function Problems() {
  useRefreshToDo();
  const { data } = useQuery(problemsQuery('open', 1));
  const change = useMutation({
    mutationFn: () =>
      put('/api/admin/problems/{id}', { path: { id: 'p1' }, body: { action: 'decline' }, fallback: '' }),
  });
  return (
    <button type="button" onClick={() => change.mutate()}>
      {data?.total} listed
    </button>
  );
}

it('after an action, also a refused one, the counts and then the lists are loaded again', async () => {
  let waiting = 2;
  mockApi({
    ...signedIn,
    ...shop,
    'GET /api/admin/to-do': () => ({ ...nothingToDo, problems: waiting }),
    'GET /api/admin/problems': () => ({ problems: [], total: waiting, open: waiting, page: 1, pages: 1 }),
    // Another admin was faster.
    'PUT /api/admin/problems/p1': () => {
      waiting = 1;
      return errorStatus(409, 'problem_resolved', 'This problem has been decided.');
    },
  });
  const { user: person } = renderApp(
    <>
      <Sidebar section="problems" user={user} />
      <Problems />
    </>,
    '/admins?section=problems',
  );
  await screen.findByRole('link', { name: /^Problems ?2 to decide$/ });
  await person.click(await screen.findByRole('button', { name: '2 listed' }));
  await screen.findByRole('link', { name: /^Problems ?1 to decide$/ });
  await waitFor(() => screen.getByRole('button', { name: '1 listed' }));
});
