// Customers, the search of the console and the page of an order: navigation, focus and accessibility.
import assert from 'node:assert/strict';
import { manyOrders, message, openAdminWithMocks } from './admin-mocks.mjs';
import { mockApi } from './api-mocks.mjs';
import { expectNoViolations, expectNoViolationsOfBothLayouts } from './axe.mjs';
import { problem } from './customer-fixtures.mjs';
import { eventually, open, phone, test } from './fixtures.mjs';

const [order] = manyOrders(1);
const customer = {
  _id: 'u1',
  name: 'Asha Kulkarni',
  email: 'asha@example.com',
  phone: '+919876543210',
  createdAt: '2026-03-02T06:35:00Z',
  deletedAt: null,
  orders: 2,
  spentAmount: 590.5,
  lastOrderAt: '2026-11-14T06:35:00Z',
};
const details = {
  customer,
  addresses: [{ _id: 'a1', addressName: 'Home', isDefault: true, ...order.deliveryAddress }],
  orders: [
    {
      _id: '0199f1c4-bbbb-7bbb-8ccc-1234bbbb0002',
      orderNumber: 'BBBB0002',
      createdAt: '2026-10-02T06:35:00Z',
      totalAmount: 280,
      orderStatus: 'delivered',
      paymentStatus: 'completed',
      packs: '2 × Goda Masala (50 g)',
      deletedAt: null,
    },
  ],
  messages: [message(1)],
  problems: [problem()],
  reviews: [
    {
      _id: 'r1',
      productName: 'Goda Masala',
      stars: 4,
      text: 'As at home.',
      createdAt: '2026-10-09T06:35:00Z',
      hiddenAt: null,
    },
  ],
};
const note = { _id: 'n1', text: 'She called.', by: 'admin@mirasa.example', at: '2026-11-14T08:00:00Z' };
const found = {
  orders: [],
  customers: [customer],
  products: [{ _id: 'goda-masala', name: 'Goda Masala', isVisible: true }],
};

async function openConsole(page, path) {
  await openAdminWithMocks(page, { orders: [order], messages: [message(1)] });
  const answer = (pattern, json) => mockApi(page, pattern, (request) => request.fulfill({ status: 200, json }));
  await answer('/api/admin/customers?**', { customers: [customer], total: 1, page: 1, pages: 1 });
  await answer('/api/admin/customers/u1', details);
  await answer(`/api/admin/customers/${order.userId}`, details);
  await answer(`/api/admin/orders/${order._id}`, { order, notes: [note], customer });
  await answer('/api/admin/search?**', found);
  await open(page, path);
}

const search = (page) => page.getByRole('combobox', { name: 'Search orders, customers and products' });

test('axe finds no violations in the list of customers, a customer and the page of an order', async ({ page }) => {
  await openConsole(page, '/admins?section=customers');
  await page.getByRole('link', { name: 'Asha Kulkarni' }).waitFor();
  await expectNoViolationsOfBothLayouts(page, 'list');
  await page.getByRole('link', { name: 'Asha Kulkarni' }).click();
  await page.getByRole('heading', { level: 1, name: 'Asha Kulkarni' }).waitFor();
  await expectNoViolations(page, 'customer');
  await open(page, `/admins?section=orders&order=${order._id}`);
  await page.getByRole('region', { name: 'Other orders' }).waitFor();
  await expectNoViolations(page, 'order');
  await page.getByRole('button', { name: 'Correct the address' }).click();
  await page.getByRole('dialog', { name: 'Correct the address' }).waitFor();
  await expectNoViolations(page, 'address');
});

test('The search is driven by the keyboard and has no violations', async ({ page }) => {
  await openConsole(page, '/admins?section=orders');
  await search(page).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('asha');
  await page.getByRole('option', { name: /Asha Kulkarni/ }).waitFor();
  await expectNoViolations(page, 'results');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Asha Kulkarni' }).waitFor();
  await eventually(() => search(page).inputValue(), '');
});

test(
  'On a phone an icon opens the search; a result closes it, and Back returns to the list',
  async ({ page }) => {
    await openConsole(page, '/admins?section=orders');
    await page.getByRole('article', { name: 'Order 00000001' }).waitFor();
    await page.getByRole('button', { name: 'Search the console' }).click();
    const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox');
    await eventually(() => field.evaluate((input) => input === document.activeElement), true);
    await field.fill('asha');
    await page.getByRole('option', { name: /Asha Kulkarni/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Asha Kulkarni' }).waitFor();
    await eventually(() => page.getByRole('dialog').count(), 0);
    const spare = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(spare <= 0, `${spare} px too wide`);
    await page.goBack();
    await page.getByRole('article', { name: 'Order 00000001' }).waitFor();
  },
  { viewport: phone },
);
