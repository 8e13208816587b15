// The overview on the real server: its figures, the way to their orders, tables and files, narrow screens and both themes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expectNoViolations } from './axe.mjs';
import { newCustomer, placeOrder, saveAddress, send } from './customer-fixtures.mjs';
import { base, eventually, expectNoSidewaysScroll, open, signIn, test, withClient } from './fixtures.mjs';

const OVERVIEW = '/admins?section=overview';
const figures = (page) => page.getByRole('list', { name: 'Figures' });

/** A paid order of a new customer. */
const buy = () =>
  withClient(async (customer) => {
    await newCustomer(customer);
    await saveAddress(customer, { state: 'Kerala', city: 'Kochi', pincode: '682001' });
    await placeOrder(customer, 'goda-masala', 2, 1);
  });

test('The overview shows what was sold, and each figure leads to its orders', async ({ page }) => {
  await buy();
  await signIn(page, 'admin@mirasa.example', '/admins');
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('radio', { name: 'Today' }).click();
  await eventually(() => new URL(page.url()).searchParams.get('period'), 'today');
  const tile = figures(page).getByRole('link', { name: /^Orders/ });
  // The figures of the period before are shown until those of today are there.
  await eventually(async () => {
    const { from, to } = await daysOf(tile);
    return from === to;
  }, true);
  const { from, to } = await daysOf(tile);
  const { current } = await send(page, 'GET', `/api/admin/overview?from=${from}&to=${to}`);
  assert.ok(current.orders >= 1);
  assert.ok(current.packs50g >= 2);

  // What the list itself was told: other tests buy at the same time.
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/admin/orders');
  await tile.click();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  const shown = new URL(page.url()).searchParams;
  assert.deepEqual([shown.get('from'), shown.get('to'), shown.get('only')], [from, to, 'sales']);
  const request = new URL((await listed).url()).searchParams;
  assert.deepEqual([request.get('from'), request.get('to'), request.get('only')], [from, to, 'sales']);
  const found = await (await listed).json();
  await page.getByText(`${found.total} order${found.total === 1 ? '' : 's'}`, { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Paid, not cancelled/ }).click();
  await eventually(() => new URL(page.url()).searchParams.get('only'), null);

  await open(page, `${OVERVIEW}&period=today`);
  await page.getByRole('link', { name: /^KL ?, Kerala: ₹/ }).click();
  await page.getByRole('button', { name: /^Kerala/ }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
});

async function daysOf(tile) {
  const query = new URL(await tile.getAttribute('href'), base).searchParams;
  return { from: query.get('from'), to: query.get('to') };
}

test('A chart has a table and a file', async ({ page }) => {
  await buy();
  await signIn(page, 'admin@mirasa.example', OVERVIEW);
  const panel = page.getByRole('region', { name: 'Net sales by day' });
  await panel.getByRole('button', { name: /^Table/ }).click();
  const rows = panel.getByRole('row');
  await eventually(() => rows.count(), 31);
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: /^CSV/ }).click();
  const file = await download;
  assert.match(file.suggestedFilename(), /^sales_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
  const lines = parse(await readFile(await file.path(), 'utf8'), { bom: true });
  assert.deepEqual(lines[0], ['Day', 'Net sales', 'Orders', 'Packs', 'Net sales before']);
  assert.equal(lines.length, 31);
  assert.ok(Number(lines[30][2]) >= 1);
  await panel.getByRole('button', { name: /^Chart/ }).click();
  await panel.locator('svg').first().waitFor();
});

test('The overview is accessible, and does not scroll sideways on any screen', async ({ page }) => {
  await buy();
  await signIn(page, 'admin@mirasa.example', OVERVIEW);
  await figures(page).waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoViolations(page, 'charts');
  // A button that was clicked has another name.
  const buttons = page.getByRole('button', { name: /^Table/ });
  for (let left = await buttons.count(); left > 0; left--) await buttons.first().click();
  await eventually(() => page.getByRole('table').count(), 7);
  await expectNoViolations(page, 'tables');
});
