// Stock, batches and what is to do, on the real server; accessibility with mocks.
import assert from 'node:assert/strict';
import { openAdminWithMocks } from './admin-mocks.mjs';
import { expectNoViolations, expectNoViolationsOfBothLayouts } from './axe.mjs';
import { newCustomer, placeOrder, send, testOnPhoneAndDesktop } from './customer-fixtures.mjs';
import { eventually, expectNoSidewaysScroll, open, signIn, test, toast, withClient } from './fixtures.mjs';

const STOCK = '/admins?section=stock';
/** The list has all products, also those that product-images.e2e.mjs has at the same time. */
const IMAGES_OF_OTHER_TESTS = /not%20there\.webp|images\.example\.com/;
let count = 0;

/** A new product for one test, with this stock. */
async function addProduct(admin, grams) {
  const name = `Stock Test ${process.pid} ${count++}`;
  const { product } = await send(admin, 'POST', '/api/admin/addProduct', {
    product_name: name,
    category: ['Veg'],
    mrp: [65, 120],
    net_wt: [{ value: 50, unit: 'g' }],
    ingredients: ['Coriander'],
    stock: grams,
    packaging_50gms: 100,
    packaging_100gms: 100,
    isVisible: true,
  });
  return { id: product._id, name };
}

/** A paid order of a new customer. */
const buy = (product, qty_50g, qty_100g) =>
  withClient(async (customer) => {
    await newCustomer(customer);
    return (await placeOrder(customer, product, qty_50g, qty_100g))._id;
  });

const row = (page, name) =>
  page.viewportSize().width < 1024
    ? page.getByRole('listitem', { name })
    : page.getByRole('row').filter({ hasText: name });

/** A date in India: the shop counts days there. */
const inDays = (days) => new Date(Date.now() + days * 86_400_000 + 5.5 * 3600_000).toISOString().slice(0, 10);

testOnPhoneAndDesktop(
  'An admin receives, counts while packs are sold, writes off, and reads the ledger',
  async ({ page }) => {
    await signIn(page, 'admin@mirasa.example', '/admins');
    const { id, name } = await addProduct(page, 1000);
    await open(page, STOCK);
    await row(page, name)
      .getByRole('button', { name: `Receive ${name}` })
      .click();
    let dialog = page.getByRole('dialog', { name: `Receive: ${name}` });
    await dialog.getByLabel('Grams of spice').fill('5,000');
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click();
    await toast(page, 'Stock received').waitFor();
    await eventually(() => row(page, name).innerText(), /6 kg/);

    await row(page, name)
      .getByRole('button', { name: `Count ${name}` })
      .click();
    dialog = page.getByRole('dialog', { name: `Count: ${name}` });
    await dialog.getByText('6,000 expected').waitFor();
    await buy(id, 2, 1);
    await dialog.getByLabel('Grams of spice').fill('5900');
    await dialog.getByText('−100 g').waitFor();
    await dialog.getByLabel('Reason').fill('Spilled');
    await dialog.getByRole('button', { name: 'Save count' }).click();
    await toast(page, 'Count saved').waitFor();
    await eventually(() => row(page, name).innerText(), /5\.70 kg[\s\S]*200 g to pack/);

    await row(page, name)
      .getByRole('button', { name: `Write off ${name}` })
      .click();
    dialog = page.getByRole('dialog', { name: `Write off: ${name}` });
    await dialog.getByLabel('Grams of spice').fill('700');
    await dialog.getByLabel('Reason').fill('Sample');
    await dialog.getByRole('button', { name: 'Write off', exact: true }).click();
    await toast(page, 'Written off').waitFor();

    await row(page, name)
      .getByRole('button', { name: `Ledger ${name}` })
      .click();
    const ledger = page.getByRole('dialog', { name });
    await ledger.getByText('−700 g').waitFor();
    const text = await ledger.innerText();
    assert.match(
      text,
      /Written off[\s\S]*Counted[\s\S]*−100 g[\s\S]*Ordered[\s\S]*Received[\s\S]*\+5 kg[\s\S]*First stock/,
    );
    assert.match(page.url(), new RegExp(`product=${id}`));
    await page.reload();
    await page.getByRole('dialog', { name }).getByText('−700 g').waitFor();
  },
  { expected: [IMAGES_OF_OTHER_TESTS] },
);

test(
  'After a failure the focus is where it was',
  async ({ page }) => {
    await signIn(page, 'admin@mirasa.example', '/admins');
    const { name } = await addProduct(page, 100);
    await open(page, STOCK);
    await row(page, name)
      .getByRole('button', { name: `Write off ${name}` })
      .click();
    const dialog = page.getByRole('dialog', { name: `Write off: ${name}` });
    await dialog.getByLabel('Grams of spice').fill('700');
    await dialog.getByLabel('Reason').fill('Sample');
    const focused = () =>
      page.evaluate(() => document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText);
    const fails = async (act) => {
      const response = page.waitForResponse((one) => one.request().method() === 'POST');
      await act();
      assert.equal((await response).status(), 409);
      await dialog.getByText('There is less than that').waitFor();
    };
    await fails(() => page.keyboard.press('Enter'));
    await eventually(focused, /^Reason/);
    await fails(() => dialog.getByRole('button', { name: 'Write off', exact: true }).click());
    await eventually(focused, 'Write off');
  },
  { expected: [/409/, IMAGES_OF_OTHER_TESTS] },
);

test(
  'A batch is received, packed and printed; what is too old is neither sold nor packed; who got it is exported',
  async ({ page }) => {
    await signIn(page, 'admin@mirasa.example', '/admins');
    const { id, name } = await addProduct(page, 200);
    const order = await buy(id, 2, 1);
    await open(page, STOCK);
    const receive = async (number, days, grams, isInShop = false) => {
      await row(page, name)
        .getByRole('button', { name: `Receive ${name}` })
        .click();
      const dialog = page.getByRole('dialog', { name: `Receive: ${name}` });
      await dialog.getByLabel('Grams of spice').fill(String(grams));
      await dialog.getByLabel('It is a batch with a number').check();
      await dialog.getByLabel(/^Batch number/).fill(number);
      await dialog.getByLabel(/^Best before/).fill(inDays(days));
      const warning = dialog.getByText('less than 45 days left, so it cannot be sold');
      await eventually(() => warning.count(), days < 45 ? 1 : 0);
      if (isInShop) await dialog.getByLabel(/^It is in the shop already/).check();
      await dialog.getByRole('button', { name: 'Record batch' }).click();
      await toast(page, `Batch ${number} recorded`).waitFor();
      await dialog.waitFor({ state: 'hidden' });
    };
    const old = `OLD-${process.pid}`;
    const fresh = `NEW-${process.pid}`;
    await receive(old, 30, 200, true);
    await receive(`${old}-2`, 40, 300);
    await row(page, name).getByText(`Batch ${old}: 30 days left: not sold`).waitFor();
    await row(page, name).getByText('300 g too old to sell').waitFor();
    assert.equal((await send(page, 'GET', `/api/products/${id}`)).product.stock, 0);
    await open(page, `/admins?section=orders&orderId=${order}`);
    await page.getByRole('checkbox', { name: /^Select order/ }).check();
    await page.getByRole('button', { name: 'Mark as packed' }).click();
    const reason = 'no batch with at least 45 days left has enough';
    await page
      .getByRole('alert')
      .filter({ hasText: `Not packed. ${name} for order` })
      .filter({ hasText: reason })
      .waitFor();

    await open(page, STOCK);
    await receive(fresh, 200, 1000);
    await open(page, `/admins?section=orders&orderId=${order}`);
    await page.getByRole('checkbox', { name: /^Select order/ }).check();
    await page.getByRole('button', { name: 'Mark as packed' }).click();
    await eventually(
      async () => (await send(page, 'GET', `/api/admin/orders?orderId=${order}`)).orders[0].packedAt !== null,
      true,
    );
    await open(page, `${STOCK}&show=batches`);
    const batch = page.getByRole('listitem').filter({ hasText: fresh });
    await batch.getByText('800 g of 1 kg left').waitFor();
    await batch.getByRole('button', { name: /^Who got it \(1 order\)/ }).click();
    const who = page.getByRole('dialog', { name: `Who got batch ${fresh}` });
    await who.getByText('2 × 50 g, 1 × 100 g').waitFor();
    const href = await who.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const file = await page.request.get(href);
    assert.match(await file.text(), new RegExp(`${order},confirmed,[^,]*,2,1,Asha Kulkarni,'\\+919876543210`));
  },
  { expected: [/409/, IMAGES_OF_OTHER_TESTS] },
);

test('What is to do leads to its list, and is counted again when something is done', async ({ page }) => {
  await signIn(page, 'admin@mirasa.example', '/admins');
  const { id } = await addProduct(page, 5000);
  const order = await buy(id, 1, 0);
  const shown = order.slice(-8).toUpperCase();
  await open(page, '/admins?section=to-do');
  // Other tests order and pack at the same time.
  await eventually(() => page.getByRole('link', { name: /^To do/ }).innerText(), /^To do\s*[1-9]\d*\+?\s*to do$/);
  const entry = page.getByRole('link', { name: /^Pack \d/ });
  await eventually(() => entry.innerText(), /^Pack [1-9]/);
  await entry.click();
  await page.waitForURL(/section=pack-and-ship/);
  await page.getByRole('article', { name: `Order ${shown}` }).waitFor();
  await open(page, '/admins?section=orders&todo=pack');
  await page.getByRole('checkbox', { name: `Select order ${shown}` }).check();
  const counted = page.waitForResponse((response) => response.url().endsWith('/api/admin/to-do'));
  await page.getByRole('button', { name: 'Mark as packed' }).click();
  assert.ok((await counted).ok());
  const { orders } = await send(page, 'GET', '/api/admin/orders?todo=pack&limit=1000');
  assert.ok(
    orders.every(({ _id }) => _id !== order),
    'it is packed',
  );
  await open(page, '/admins?section=orders&todo=ship');
  await eventually(() => page.getByLabel('To do', { exact: true }).inputValue(), 'ship');
});

const NONE = { grams: 0, pouches50g: 0, pouches100g: 0 };
const batch = (more = {}) => ({
  _id: 'b1',
  productId: 'goda-masala',
  productName: 'Goda Masala',
  number: 'GM-2611',
  madeOn: '2026-11-10',
  bestBefore: '2027-06-30',
  daysLeft: 225,
  canBeSent: true,
  receivedGrams: 20_000,
  leftGrams: 12_500,
  recordedBy: 'admin@mirasa.example',
  recordedAt: '2026-11-10T06:35:00Z',
  ...more,
});
const stock = (more = {}) => ({
  productId: 'goda-masala',
  productName: 'Goda Masala',
  image: '',
  isVisible: true,
  available: { grams: 9100, pouches50g: 86, pouches100g: 78 },
  tooOldGrams: 0,
  unpaid: { grams: 200, pouches50g: 0, pouches100g: 2 },
  toPack: { grams: 700, pouches50g: 14, pouches100g: 0 },
  inShop: { grams: 10_000, pouches50g: 100, pouches100g: 80 },
  sold: { grams: 700, pouches50g: 14, pouches100g: 0 },
  daysLeft: 86,
  shortest: 'pouches50g',
  isSoldOut: false,
  isLow: false,
  batches: [],
  gramsWithoutBatch: 10_000,
  ...more,
});
const manyKinds = {
  toPack: 12,
  toShip: 3,
  overdue: 1,
  problems: 2,
  failedRefunds: 1,
  issues: 4,
  messages: 5,
  lowStock: 3,
  oldBatches: 1,
  failedEmails: 2,
  parcels: 1,
  unscannedParcels: 2,
};

test('Stock and what is to do have no accessibility violations, and do not scroll sideways on any screen', async ({
  page,
}) => {
  const low = { productId: 'chai-masala', productName: 'Chai Masala', daysLeft: 3, isLow: true, shortest: 'spice' };
  const old = batch({ _id: 'b2', number: 'OLD', daysLeft: 30, canBeSent: false });
  await openAdminWithMocks(page, {
    stock: [
      stock({ batches: [old, batch()], tooOldGrams: 12_500 }),
      stock(low),
      stock({
        productId: 'rasam-powder',
        productName: 'Rasam Powder',
        isSoldOut: true,
        isLow: true,
        daysLeft: null,
        shortest: null,
        available: NONE,
      }),
    ],
    batches: [
      { ...batch(), orders: 2 },
      { ...old, orders: 0 },
    ],
    toDo: manyKinds,
  });
  const check = async (what, isDialog = false) => {
    await expectNoSidewaysScroll(page, what);
    await (isDialog ? expectNoViolations : expectNoViolationsOfBothLayouts)(page, what);
  };
  await open(page, STOCK);
  await page.getByRole('button', { name: 'Count Chai Masala' }).waitFor();
  await check('stock');
  await page.getByRole('button', { name: 'Receive Goda Masala' }).click();
  await page.getByLabel('It is a batch with a number').check();
  await page.getByLabel(/^Best before/).fill(inDays(30));
  await page.getByText('so it cannot be sold').waitFor();
  await check('receive', true);
  await page.keyboard.press('Escape');
  await open(page, `${STOCK}&show=batches`);
  await page.getByText('30 days left: not sold').waitFor();
  await check('batches');
  await open(page, '/admins?section=to-do');
  await page.getByText('orders to pack').waitFor();
  await check('to do');
});
