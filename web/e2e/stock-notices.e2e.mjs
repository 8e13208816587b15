// 'Tell me' on a sold-out product, the e-mail, and the page that stops these e-mails.
import assert from 'node:assert/strict';
import { newEmail, send } from './customer-fixtures.mjs';
import { base, eventually, open, signIn, test, withClient } from './fixtures.mjs';

const done = 'We will write to you when it can be bought again.';

/** A sold-out product, an admin who can change its stock, and a visitor. */
function testSoldOut(name, act, options = {}) {
  test(
    name,
    ({ page }) =>
      withClient(async (admin) => {
        await signIn(admin, 'admin@mirasa.example');
        const details = {
          product_name: `Rare Masala ${process.pid} ${Date.now()}`,
          category: ['Snacks'],
          ingredients: ['Cumin'],
          mrp: [60, 110],
          net_wt: [{ value: 50, unit: 'g' }],
          images: ['goda-masala pouch.webp'],
        };
        const body = { ...details, stock: 0, packaging_50gms: 5, packaging_100gms: 5 };
        const { product } = await send(admin, 'POST', '/api/admin/addProduct', body);
        const restock = () =>
          send(admin, 'PUT', `/api/admin/updateProduct/${product._id}`, { ...product, stock: 500, stock_seen: 0 });
        try {
          await act({ page, product, restock });
        } finally {
          await admin.request.delete(`/api/admin/deleteProduct/${product._id}`, { headers: { origin: base } });
        }
      }),
    options,
  );
}

async function waitForEmail(page, name) {
  await eventually(
    async () => (await (await page.request.get('/sandbox/mail')).text()).includes(`${name} is back`),
    true,
  );
  await page.goto('/sandbox/mail');
  await page.getByText(`${name} is back`).first().click();
}

testSoldOut(
  'A visitor is told once, and can stop these e-mails',
  async ({ page, product, restock }) => {
    await open(page, `/product/${product._id}`);
    const form = page.getByRole('region', { name: /Shall we tell you/ });
    await form.getByLabel('E-mail').fill('asha@home');
    await form.getByRole('button', { name: 'Tell me' }).click();
    await form.getByText('must be an e-mail address').waitFor();
    const email = newEmail('notice');
    await form.getByLabel('E-mail').fill(email);
    await form.getByRole('button', { name: 'Tell me' }).click();
    await form.getByText(done).waitFor();

    await restock();
    await waitForEmail(page, product.product_name);
    const html = await page.content();
    const stop = /\/stop-emails\?token=[\w-]+/.exec(html)?.[0];
    assert.ok(stop, 'the e-mail has a link that stops them');
    await open(page, stop);
    await page.getByRole('button', { name: 'Stop these e-mails' }).click();
    await page.getByText('You get no more of these e-mails.').waitFor();
    await eventually(() => page.locator('meta[name="robots"]').getAttribute('content'), 'noindex');
    await open(page, `/product/${product._id}`);
    await eventually(() => page.getByRole('button', { name: 'Tell me' }).count(), 0, 'it can be bought');
  },
  { expected: [/400/] },
);
