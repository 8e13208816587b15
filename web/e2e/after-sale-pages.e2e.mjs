// After the sale, with mock responses: what depends on the time of day or takes days. Midnight in India, overdue problems,
// the times of the timeline.
import assert from 'node:assert/strict';
import { listedProblem, openAdminWithMocks } from './admin-mocks.mjs';
import { mockApi } from './api-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { newCustomer, order, testOnPhone } from './customer-fixtures.mjs';
import { eventually, open, openWithFakeClock, test, timeUntil, waitForIdle } from './fixtures.mjs';

/** The orders are those that `orders` returns at the time of a request. */
async function withOrders(page, orders) {
  await mockApi(page, '/api/user/orders', (request) => request.fulfill({ json: { orders: orders() } }));
  await mockApi(page, '/api/user/orders/*', (request) =>
    request.fulfill({ json: { order: orders().find(({ _id }) => request.url.endsWith(_id)) } }),
  );
}

/** The last millisecond of the day in India, `inMs` from now in the page. */
const endOfDay = (inMs) => {
  const offsetMs = 5.5 * 3_600_000;
  const dayMs = 24 * 3_600_000;
  const end = Math.ceil((Date.now() + offsetMs) / dayMs) * dayMs - offsetMs - 1;
  return { until: new Date(end).toISOString(), startsAt: end - inMs };
};

const details = (page) => page.getByRole('dialog', { name: 'Order #0A1B2C3D' });

testOnPhone('At midnight in India the offer to cancel ends, and the page says why', async ({ page }) => {
  await newCustomer(page);
  const { until, startsAt } = endOfDay(2.5 * 60_000);
  let isOver = false;
  const createdAt = new Date(startsAt - 3_600_000).toISOString();
  await withOrders(page, () => [order({ createdAt, cancellableUntil: isOver ? null : until })]);
  await openWithFakeClock(page, '/orders?order=0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d', startsAt);
  const dialog = details(page);
  await dialog.getByText('You can cancel until 11:59 PM IST today, 2 min left').waitFor();
  await page.clock.runFor(60_000);
  await dialog.getByText('You can cancel until 11:59 PM IST today, 1 min left').waitFor();
  isOver = true;
  await page.clock.runFor(100_000);
  const whyNot = dialog.getByText(/^This order could be cancelled until 11:59 PM IST on .*, the day it was placed\.$/);
  const passed = await timeUntil(page, () => whyNot.isVisible());
  assert.ok(passed < 5000, `${passed} ms after midnight`);
  await eventually(() => page.getByRole('button', { name: /^Cancel order/ }).count(), 0);
  for (const name of ['contact page', /^\+91/, /@/])
    assert.ok(await dialog.getByRole('link', { name }).isVisible(), `${name} is offered`);
  await page.clock.resume();
  await expectNoViolations(page, 'too late');
});

test('Overdue problems stand out in the queue', async ({ page }) => {
  const problems = [
    listedProblem(1, { overdue: true, dueAt: '2026-11-14T06:35:00Z' }),
    listedProblem(2, { state: 'replaced', overdue: true, dueAt: '2026-11-15T06:35:00Z' }),
    listedProblem(3),
  ];
  await openAdminWithMocks(page, { problems });
  await open(page, '/admins?section=problems');
  const item = (index) => page.getByRole('article', { name: `Problem with order 0000000${index}` });
  await item(1).getByText('Overdue: Decide by Sat 14 Nov 2026, 12:05 pm IST').waitFor();
  await item(2).getByText('Overdue: Deliver the replacement by Sun 15 Nov 2026, 12:05 pm IST').waitFor();
  await item(3).getByText('Decide by Thu 19 Nov 2026, 12:05 pm IST', { exact: true }).waitFor();
  const edge = (index) => item(index).evaluate((element) => getComputedStyle(element).borderLeftWidth);
  assert.deepEqual([await edge(1), await edge(2), await edge(3)], ['4px', '4px', '1px']);
  await waitForIdle(page);
  await expectNoViolations(page, 'problems');
});
