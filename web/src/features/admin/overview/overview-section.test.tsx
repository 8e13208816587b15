// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { emptyOverview, testOverview, todayOverview } from '~/testing/overview';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import OverviewSection from './overview-section';

const open = (search = '&from=2026-11-14&to=2026-11-15') =>
  renderApp(<OverviewSection />, `/admins?section=overview${search}`);

it('shows each figure with its change and a link to its orders', async () => {
  mockApi({ ...signedIn, 'GET /api/admin/overview': testOverview });
  open();
  const figures = within(await screen.findByRole('list', { name: 'Figures' }));
  const tile = (name: RegExp) => figures.getByRole('link', { name });
  expect(tile(/^Net sales ?₹1,234.50/).textContent).toMatch(/23%.*was ₹1,000\.00/);
  expect(tile(/^Orders/).textContent).toMatch(/4.*down 20%.*was 5/);
  expect(tile(/^Packs sold/).textContent).toMatch('5 of 50 g, 2 of 100 g');
  expect(tile(/^Refunds/).textContent).toMatch('none before');
  expect(tile(/^Repeat rate/).textContent).toMatch('25%');
  for (const [name, only] of [
    [/^Net sales/, 'sales'],
    [/^Refunds/, 'refunded'],
    [/^Discounts/, 'discounted'],
    [/^Repeat rate/, 'repeat'],
    [/^Late/, 'late'],
    [/^Returned/, 'returned'],
  ] as const)
    expect(tile(name).getAttribute('href')).toBe(`/admins?section=orders&from=2026-11-14&to=2026-11-15&only=${only}`);
});

it('has a table behind each chart, with links to the orders of each row', async () => {
  mockApi({ ...signedIn, 'GET /api/admin/overview': testOverview });
  const { user } = open();
  for (const [chart, row, filter] of [
    ['Net sales by day', 'Sun 15 Nov', 'from=2026-11-15&to=2026-11-15&only=sales'],
    ['Best products', 'Goda Masala', 'only=sales&productId=goda-masala'],
    ['By category', 'Maharashtrian', 'only=sales&category=Maharashtrian'],
    ['By state', 'Kerala', 'only=sales&state=Kerala'],
    ['Hours of the week', 'Sunday 12 am', 'only=sales&weekday=7&hour=0'],
    ['From visit to payment', 'Orders paid', 'only=sales'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: new RegExp(`^Table ?: ${chart}`) }));
    const table = within(screen.getByRole('table', { name: chart }));
    expect(table.getByRole('link', { name: row }).getAttribute('href')).toMatch(filter);
  }
  // No orders, no link.
  await user.click(screen.getByRole('button', { name: /^Table ?: Slowest/ }));
  const slowest = within(screen.getByRole('table', { name: 'Slowest products' }));
  expect(slowest.queryByRole('link')).toBeNull();
  expect(screen.getAllByRole('button', { name: /^CSV ?: / })).toHaveLength(7);
});

it('shows one day by its hours, and today compared with the same time of yesterday', async () => {
  mockApi({ ...signedIn, 'GET /api/admin/overview': todayOverview });
  const { user } = open('&period=today');
  await screen.findByText('15 Nov 2026 until now, compared with yesterday until 3:00 pm');
  await user.click(await screen.findByRole('button', { name: /^Table ?: Net sales by hour/ }));
  const rows = within(screen.getByRole('table', { name: 'Net sales by hour' })).getAllByRole('row');
  expect(rows).toHaveLength(25);
  expect(rows[15]?.textContent).toBe('2 pm to 3 pm₹234.501₹0.00');
  expect(
    within(rows[15] as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/admins?section=orders&from=2026-11-15&to=2026-11-15&only=sales&hour=14');
  expect(rows[21]?.textContent).toBe('8 pm to 9 pm₹0.000₹1,000.00');
  expect(within(rows[21] as HTMLElement).queryByRole('link')).toBeNull();
});

it('asks for the days that are chosen', async () => {
  const requests = mockApi({ ...signedIn, 'GET /api/admin/overview': testOverview });
  const { user } = open('');
  await user.click(await screen.findByRole('radio', { name: '7 days' }));
  await user.click(screen.getByRole('radio', { name: 'Range' }));
  await screen.findByLabelText('First day');
  const calls = requests.filter(({ call }) => call.startsWith('GET /api/admin/overview'));
  expect(calls.length).toBeGreaterThanOrEqual(2);
});

it('explains days that cannot be shown, without asking the server', async () => {
  const requests = mockApi({ ...signedIn, 'GET /api/admin/overview': testOverview });
  open('&from=2026-11-15&to=2026-11-14');
  await screen.findByText('The first day is after the last day');
  expect(requests.filter(({ call }) => call.startsWith('GET /api/admin/overview'))).toEqual([]);
});

it('says where there is nothing', async () => {
  mockApi({ ...signedIn, 'GET /api/admin/overview': emptyOverview });
  open();
  await screen.findByText('No sales in these days, nor in those before.');
  screen.getByText('No visits in these days.');
  expect(screen.getAllByText('No orders in these days.')).toHaveLength(3);
});

it('offers another try after a failure', async () => {
  let response: unknown = errorStatus(503, 'unavailable', 'The shop is busy.');
  mockApi({ ...signedIn, 'GET /api/admin/overview': () => response });
  const { user } = open();
  await screen.findByText('The shop is busy.');
  response = testOverview;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('list', { name: 'Figures' });
});
