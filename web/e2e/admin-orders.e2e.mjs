// Specification, section 2 'Admin console', 4, 5 and 8: orders. The admin endpoints are mocked.
import assert from 'node:assert/strict';
import { manyOrders, openAdminWithMocks, orderId, reservation } from './admin-mocks.mjs';
import { desktop, eventually, open, phone, tablet, test, toast, waitForIdle } from './fixtures.mjs';

const ORDERS = '/admins?section=orders';
const asked = (mocks) => mocks.sent.findLast(({ call }) => call === 'GET orders').query;
const rows = (page) => page.locator('tbody tr:not([hidden]):has(th)');

test('Table columns, ten a page, Previous and Next, Page X of Y', async ({ page }) => {
  const mocks = await openAdminWithMocks(page);
  await open(page, ORDERS);
  await eventually(
    () => page.locator('thead th').allInnerTexts(),
    ['Order ID', 'User ID', 'Total Amount', 'Status', 'Payment', 'Created At', 'Details', 'Update Status', 'Delete'],
  );
  await eventually(() => rows(page).count(), 10);
  assert.equal(asked(mocks).get('limit'), '10');
  const words = await rows(page).first().innerText();
  for (const word of [
    '00000001',
    '₹420.00',
    'Confirmed',
    'Completed',
    'Sat 14 Nov 2026, 12:05 pm IST',
    'Show',
    'Update',
  ])
    assert.ok(words.includes(word), word);
  await page.getByText('Page 1 of 3').waitFor();
  await eventually(() => page.getByRole('button', { name: 'Previous' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2 of 3').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 3 of 3').waitFor();
  await eventually(() => rows(page).count(), 3);
  await eventually(() => page.getByRole('button', { name: 'Next' }).isDisabled(), true);
  await page.reload();
  await page.getByText('Page 3 of 3').waitFor();
});

test('Filters Status, Order ID, User ID, From date, To date are in the URL; Reset', async ({ page }) => {
  const mocks = await openAdminWithMocks(page);
  await open(page, ORDERS);
  const status = page.getByLabel('Status', { exact: true });
  await eventually(
    () => status.locator('option').allInnerTexts(),
    ['All', 'Pending', 'Confirmed', 'Shipped', 'Delivered', 'Cancelled', 'N/A'],
  );
  await status.selectOption('N/A');
  await page.waitForURL(/status=N/);
  await page.getByLabel('Order ID', { exact: true }).fill('8ccc');
  await page.waitForURL(/orderId=8ccc/);
  await page.getByLabel('User ID', { exact: true }).fill('0199');
  await page.waitForURL(/userId=0199/);
  await page.getByLabel('From date').fill('2026-11-01');
  await page.waitForURL(/from=2026-11-01/);
  await page.getByLabel('To date').fill('2026-11-30');
  await page.waitForURL(/to=2026-11-30/);
  await eventually(
    () => ['status', 'orderId', 'userId', 'from', 'to'].map((name) => asked(mocks).get(name)),
    ['N/A', '8ccc', '0199', '2026-11-01', '2026-11-30'],
  );
  const link = page.getByRole('link', { name: 'Export CSV' });
  await eventually(
    () => link.getAttribute('href'),
    '/api/admin/orders/export.csv?status=N%2FA&orderId=8ccc&userId=0199&from=2026-11-01&to=2026-11-30',
  );
  await page.reload();
  await eventually(() => page.getByLabel('Order ID', { exact: true }).inputValue(), '8ccc');
  await waitForIdle(page);
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('Page 1 of 3').waitFor();
  await eventually(() => page.getByLabel('Order ID', { exact: true }).inputValue(), '');
  await eventually(() => new URL(page.url()).search, '?section=orders');
});

test("Details: name × quantity @ price each or 'No items'; the address or 'No address info'", async ({ page }) => {
  const [first, second] = manyOrders(2);
  await openAdminWithMocks(page, { orders: [first, { ...second, items: [], deliveryAddress: null }] });
  await open(page, ORDERS);
  const show = page.getByRole('button', { name: /^Show details/ });
  await show.first().click();
  await page.getByText('Goda Masala (50 g) × 2 @ ₹65 each', { exact: true }).waitFor();
  await page.getByText('Goda Masala (100 g) × 1 @ ₹120 each', { exact: true }).waitFor();
  for (const word of ['Asha Kulkarni', '+91 98765 43210', '12 Laxmi Road, Sadashiv Peth', 'Pune, Maharashtra 411030'])
    await page.getByText(word).waitFor();
  await eventually(() => show.count(), 1);
  await show.click();
  await page.getByText('No items').waitFor();
  await page.getByText('No address info').waitFor();
  await page.getByRole('button', { name: 'Hide details of order 00000001' }).click();
  await page.getByText('Goda Masala (50 g) × 2').waitFor({ state: 'detached' });
});

test(
  "Update is enabled only when the value differs, 'Updating...' while saving, the row updates locally",
  async ({ page }) => {
    const mocks = await openAdminWithMocks(page, { orders: manyOrders(2) });
    await open(page, ORDERS);
    const row = rows(page).first();
    const button = row.getByRole('button', { name: /Updat/ });
    await eventually(() => button.isDisabled(), true);
    let response;
    const after = new Promise((done) => {
      response = done;
    });
    mocks.reject = { PUT: { status: 409, text: 'The parcel has left', after } };
    await row.getByRole('combobox').selectOption('delivered');
    await button.click();
    await row.getByText('Updating...').waitFor();
    response();
    await toast(page, 'The parcel has left').waitFor();
    mocks.reject = {};
    await button.click();
    await toast(page, 'Order status updated!').waitFor();
    await row.locator('td').getByText('Delivered', { exact: true }).first().waitFor();
    await eventually(() => button.isDisabled(), true);
  },
  { expected: [/409/] },
);

test(
  "Delete asks 'Are you sure you want to delete this order?' and removes the row; 'Order deleted!'",
  async ({ page }) => {
    const mocks = await openAdminWithMocks(page, { orders: manyOrders(11) });
    await open(page, `${ORDERS}&page=2`);
    const ask = async () => {
      await page.getByRole('button', { name: 'Delete order 00000011' }).click();
      const question = page.getByRole('dialog', { name: 'Are you sure you want to delete this order?' });
      await question.getByLabel(/Why the money is kept/).fill('Sold at the market');
      await question.getByRole('button', { name: 'Delete' }).click();
    };
    mocks.reject = { DELETE: { status: 500, text: '' } };
    await ask();
    await toast(page, 'Failed to delete order').waitFor();
    mocks.reject = {};
    await ask();
    await toast(page, 'Order deleted!').waitFor();
    await page.getByText('Page 1 of 1').waitFor();
    await eventually(() => rows(page).count(), 10);
    assert.ok(!mocks.orders.some(({ _id }) => _id === orderId(11)));
  },
  { expected: [/500/] },
);

test(
  "'Loading orders...', the error text, 'No orders found.'; Export CSV disabled with no rows",
  async ({ page }) => {
    let response;
    const after = new Promise((done) => {
      response = done;
    });
    const mocks = await openAdminWithMocks(page, {
      orders: [],
      reject: { 'GET orders': { status: 500, text: 'The ledger is closed', after } },
    });
    await page.goto(ORDERS);
    await page.getByText('Loading orders...').waitFor();
    response();
    await page.getByText('The ledger is closed').waitFor();
    mocks.reject = { 'GET orders': { status: 500, text: '' } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Failed to fetch orders').waitFor();
    mocks.reject = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No orders found.').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Export CSV' }).isDisabled(), true);
  },
  { expected: [/500/] },
);

test("'Needs a person' labels open issues and disappears when they are resolved", async ({ page }) => {
  const entry = (id, kind, orderDeleted = false) => ({
    _id: id,
    orderId: orderId(4),
    kind,
    about: 'M0199f1c4aaaa7bbb8ccc000000000004',
    detail: 'The gateway refused.',
    createdAt: '2026-11-14T06:35:00Z',
    orderDeleted,
  });
  await openAdminWithMocks(page, { issues: [entry('c1', 'amount mismatch'), entry('c2', 'refund', true)] });
  await open(page, ORDERS);
  const panel = page.getByRole('region', { name: 'Needs a person' });
  const headline = (at) => panel.getByRole('listitem').nth(at).locator('p').first();
  await eventually(() => headline(0).innerText(), /^Amount mismatch\s*00000004\s*Sat 14 Nov 2026, 12:05 pm IST$/);
  await eventually(() => headline(1).innerText(), /^Refund\s*00000004 \(deleted\)\s*Sat 14 Nov 2026/);
  assert.ok(!(await panel.innerText()).includes('M0199f1c4'), 'no id of the gateway');
  await panel.getByRole('button', { name: 'Show deleted order 00000004' }).click();
  await page.waitForURL(/deleted=true/);
  await page.getByRole('heading', { name: 'Deleted orders', level: 1 }).waitFor();
  await panel.getByRole('button', { name: 'Show order 00000004', exact: true }).click();
  await page.getByText('Page 1 of 1').waitFor();
  await panel.getByRole('button', { name: 'Settled: Refund, order 00000004' }).click();
  await panel.getByRole('button', { name: 'Settled: Amount mismatch, order 00000004' }).click();
  await panel.waitFor({ state: 'detached' });
});

test(
  'Stock reserved by unpaid orders: who holds how much until when, and Release',
  async ({ page }) => {
    let response;
    const after = new Promise((done) => {
      response = done;
    });
    const mocks = await openAdminWithMocks(page, {
      reserved: [reservation(2), reservation(8, { customerName: 'Ravi', packs: 1, grams: 50, totalAmount: 65.5 })],
      reject: { 'GET reserved-stock': { status: 500, text: 'The ledger is closed', after } },
    });
    await page.goto(ORDERS);
    const panel = page.getByRole('region', { name: /^Stock reserved by unpaid orders/ });
    await panel.getByText('Loading reserved stock...').waitFor();
    response();
    await panel.getByText('The ledger is closed').waitFor();
    mocks.reject = {};
    await panel.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => panel.getByRole('listitem').count(), 2);
    const words = await panel.getByRole('listitem').first().innerText();
    for (const word of [
      'Asha Kulkarni',
      'asha@example.com',
      '18,047 packs',
      '1,353.53 kg',
      '₹18,95,410.00',
      '12:20 pm',
    ])
      assert.ok(words.includes(word), `${word} in ${words}`);
    assert.ok((await panel.getByRole('listitem').nth(1).innerText()).includes('1 pack · 50 g · ₹65.50'));
    mocks.reject = { 'POST orders': { status: 409, text: 'This order no longer reserves stock.' } };
    await panel.getByRole('button', { name: 'Release the stock of order 00000002' }).click();
    await toast(page, 'This order no longer reserves stock.').waitFor();
    mocks.reject = {};
    await panel.getByRole('button', { name: 'Release the stock of order 00000002' }).click();
    await toast(page, 'Stock released!').waitFor();
    await eventually(() => panel.getByRole('listitem').count(), 1);
    await panel.getByRole('button', { name: 'Release the stock of order 00000008' }).click();
    await panel.getByText('No unpaid order reserves stock.').waitFor();
    assert.equal(mocks.sent.filter(({ call }) => call === `POST orders/${orderId(8)}/release`).length, 1);
  },
  { expected: [/500/, /409/] },
);

test(
  'Audit log: who changed what and when, loaded when it is opened',
  async ({ page }) => {
    let response;
    const after = new Promise((done) => {
      response = done;
    });
    const mocks = await openAdminWithMocks(page, {
      reject: { 'GET audit': { status: 500, text: 'The ledger is closed', after } },
    });
    await open(page, ORDERS);
    await page.getByRole('button', { name: 'Show details of order 00000001' }).click();
    const history = page.getByRole('region', { name: 'Audit log' });
    await history.getByRole('button', { name: 'Audit log', expanded: false }).waitFor();
    assert.equal(mocks.sent.filter(({ call }) => call === 'GET audit').length, 0, 'not before');
    await history.getByRole('button', { name: 'Audit log' }).click();
    await history.getByText('Loading history...').waitFor();
    response();
    await history.getByText('The ledger is closed').waitFor();
    mocks.reject = {};
    await history.getByRole('button', { name: 'Try again' }).click();
    await history.getByText('Nobody has changed anything here yet.').waitFor();
    assert.equal(mocks.sent.findLast(({ call }) => call === 'GET audit').query.get('about'), orderId(1));
    const who = 'meera@mirasa.example';
    mocks.entries = [
      { at: '2026-11-14T06:35:00Z', who, action: 'order status', detail: 'confirmed to shipped' },
      { at: '2026-11-13T06:35:00Z', who, action: 'order status', detail: 'pending to confirmed' },
    ];
    await page.getByLabel('New status of order 00000001').selectOption('shipped');
    await page.getByRole('button', { name: 'Update' }).first().click();
    // An open list follows what is changed beside it.
    await eventually(
      async () => (await history.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\n+/)),
      [
        ['Order status: confirmed to shipped', `Sat 14 Nov 2026, 12:05 pm IST · ${who}`],
        ['Order status: pending to confirmed', `Fri 13 Nov 2026, 12:05 pm IST · ${who}`],
      ],
    );
    await history.getByRole('button', { name: 'Audit log' }).click();
    await history.getByRole('listitem').first().waitFor({ state: 'detached' });
  },
  { expected: [/500/] },
);

for (const viewport of [phone, tablet, desktop]) {
  test(
    `Nothing but the table scrolls sideways at ${viewport.width} px`,
    async ({ page }) => {
      await openAdminWithMocks(page, { reserved: [reservation(2)] });
      for (const path of ['/admins', ORDERS, '/admins?section=products&product=goda-masala']) {
        await open(page, path);
        await page.locator('#section-title').waitFor();
        await waitForIdle(page);
        const spare = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(spare <= 0, `${path} is ${spare} px too wide`);
      }
      if (viewport !== desktop) return;
      await open(page, ORDERS);
      const cut = await page
        .getByRole('region', { name: 'List of orders' })
        .last()
        .evaluate((box) => box.scrollWidth - box.clientWidth);
      assert.ok(cut <= 0, `the table is ${cut} px too wide`);
    },
    { viewport },
  );
}
