// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { get } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import { newClient, renderApp, signedIn } from '~/testing/render';
import { ErrorState } from '~/ui/feedback/error-state';
import { OfflineNotice } from './layout/offline-notice';
import AdminPage from './pages/admin-page';
import { reconnect } from './reconnect';

const AWAY = 'The shop cannot be reached, trying again';
const CHECK = '/api/auth/check-auth';

let answer: (url: string) => Response;
let calls: string[] = [];
let stop = () => {};

const down = () => {
  throw new TypeError('Failed to fetch');
};
const up = (url: string) =>
  Response.json(url.startsWith('/api/admin/stock') ? { products: [] } : { authenticated: true });

function Stock() {
  const { data, error, isError } = useQuery({
    queryKey: adminKeys.stock,
    queryFn: () => get('/api/admin/stock', { fallback: 'Failed to fetch the stock' }),
    retry: false,
  });
  if (isError && !data) return <ErrorState message={errorMessage(error, '')} />;
  return <p>{data ? `${data.products.length} products` : 'Loading'}</p>;
}

function open(children = <Stock />) {
  const client = newClient();
  stop = reconnect(client);
  return renderApp(
    <>
      {children}
      <OfflineNotice />
    </>,
    '/admins',
    client,
  );
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const asked = () => calls.filter((url) => url === CHECK).length;

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url);
    return answer(url);
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('says that the shop is away, asks with growing pauses, and shows the data when it is back', async () => {
  answer = down;
  open();
  await pass(0);
  screen.getByText('Failed to fetch the stock');
  screen.getByText(AWAY);
  const at: number[] = [];
  for (let second = 1; second <= 130; second++) {
    const before = asked();
    await pass(1_000);
    if (asked() > before) at.push(second);
  }
  expect(at).toEqual([1, 3, 7, 15, 31, 61, 91, 121]);
  // Nothing flickers meanwhile: what failed is not loaded again before there is an answer.
  expect(calls.filter((url) => url === '/api/admin/stock')).toHaveLength(1);

  answer = up;
  await pass(30_000);
  screen.getByText('0 products');
  expect(screen.queryByText(AWAY)).toBeNull();
  const { length } = calls;
  await pass(120_000);
  expect(calls).toHaveLength(length);
});

it.each([
  ['the connection is back', () => window.dispatchEvent(new Event('online'))],
  ['the tab is looked at', () => document.dispatchEvent(new Event('visibilitychange'))],
])('asks at once when %s', async (_when, happens) => {
  answer = down;
  open();
  await pass(20_000);
  answer = up;
  const before = asked();
  await act(async () => happens());
  await pass(0);
  expect(asked()).toBe(before + 1);
  screen.getByText('0 products');
});

it('a proxy without a server is no answer; an error of the server is one', async () => {
  answer = () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
  open();
  await pass(1_000);
  screen.getByText(AWAY);
  answer = () => Response.json({ error: 'The shop is busy.', code: 'busy' }, { status: 503 });
  await pass(2_100);
  expect(screen.queryByText(AWAY)).toBeNull();
  screen.getByText('The shop is busy.');
});

it('the console says that the session could not be checked, and opens when the shop is back', async () => {
  answer = down;
  open(<AdminPage />);
  await pass(0);
  screen.getByText('Failed to check sign-in');
  screen.getByText(AWAY);
  answer = (url) =>
    url === CHECK ? Response.json({ authenticated: false }) : Response.json(signedIn['GET /api/userinfo']);
  await pass(1_100);
  expect(screen.queryByText('Failed to check sign-in')).toBeNull();
  screen.getByText('For those who run the shop');
});

it('the console stays while a later check of the session gets no answer', async () => {
  vi.mock('~/features/admin/layout/admin-layout', () => ({ default: () => <p>The console</p> }));
  vi.mock('~/lib/load-styles', () => ({ loadStyles: () => Promise.resolve() }));
  answer = (url) =>
    Response.json(
      url === CHECK ? { authenticated: true } : { user: { ...signedIn['GET /api/userinfo'].user, role: 'admin' } },
    );
  const { client } = open(<AdminPage />);
  await pass(0);
  await vi.waitFor(() => screen.getByText('The console'));
  answer = down;
  await act(() => client.refetchQueries());
  screen.getByText(AWAY);
  screen.getByText('The console');
});
