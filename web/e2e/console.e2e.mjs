// Admin features beyond the specification: phone layout, low windows. The keys are tested in
// src/features/admin/layout/console-keys.test.tsx.
import assert from 'node:assert/strict';
import { manyOrders, message, openAdminWithMocks } from './admin-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { eventually, open, phone, test, toast } from './fixtures.mjs';

const ORDERS = '/admins?section=orders';
const updates = (mocks) => mocks.sent.filter(({ call }) => call.startsWith('PUT orders/'));

test(
  'On a phone an order is a card with what to pack and the next step in reach of the thumb',
  async ({ page }) => {
    const mocks = await openAdminWithMocks(page, { orders: manyOrders(3) });
    await open(page, ORDERS);
    const card = page.getByRole('article', { name: 'Order 00000001' });
    await card.getByText('Sat 14 Nov 2026, 12:05 pm IST').waitFor();
    await eventually(() => card.innerText(), /2 ×\s+Goda Masala\s+50 g\s+1 ×\s+Goda Masala\s+100 g/);
    const { width } = await card.boundingBox();
    assert.ok(width <= phone.width - 32, `the card is ${width} px wide`);
    const next = card.getByRole('button', { name: 'Packed: mark as shipped' });
    const { height } = await next.boundingBox();
    assert.ok(height >= 48, `${height} px`);
    await next.click();
    await toast(page, 'Order status updated!').waitFor();
    assert.deepEqual(updates(mocks).at(-1).body, { orderStatus: 'shipped', version: 3, seenStatus: 'confirmed' });
    await card.getByRole('button', { name: 'Mark as delivered' }).waitFor();
    const nav = await page.getByRole('navigation', { name: 'Sections' }).boundingBox();
    assert.ok(nav.y > phone.height - 100, 'the sections are at the foot of the screen');
    // At the end, because axe takes a control that the bar covers while scrolling for one that is too small.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expectNoViolations(page, 'orders on a phone');
  },
  { viewport: phone },
);

test(
  'On a phone the bar has the sections of daily work; its last button opens all, the first four as specified',
  async ({ page }) => {
    const messages = [message(1), message(2)];
    await openAdminWithMocks(page, { messages });
    await open(page, '/admins');
    const bar = page.getByRole('navigation', { name: 'Sections', exact: true });
    await eventually(
      async () => (await bar.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Products', 'Orders', 'Problems', 'Messages'],
    );
    assert.equal(await bar.evaluate((nav) => nav.scrollWidth - nav.clientWidth), 0, 'nothing to scroll sideways');
    const sheet = page.getByRole('dialog', { name: 'Sections' });
    const links = sheet.getByRole('navigation', { name: 'All sections' }).getByRole('link');
    await bar.getByRole('button', { name: 'More sections' }).click();
    await eventually(async () => (await links.allInnerTexts()).slice(0, 4), ['Products', 'Orders', 'Users', 'Team']);
    await eventually(() => sheet.getByRole('link', { name: /^Messages/ }).innerText(), /^Messages\s*2\s*unread$/);
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Products');
    for (const link of await links.all()) {
      const { width, height } = await link.boundingBox();
      assert.ok(width >= 44 && height >= 44, `${width} × ${height} px`);
    }
    await expectNoViolations(page, 'all sections');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'More sections');
    await page.keyboard.press('Enter');
    await sheet.getByRole('link', { name: 'Invoices' }).click();
    await sheet.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
    await bar.getByRole('button', { name: /^Invoices\s*, current section\. More sections/ }).waitFor();
    await expectNoViolations(page, 'a section that is not in the bar');
  },
  { viewport: phone },
);

test('A low window scrolls the sections, not the page; the current one is in view', async ({ page }) => {
  await openAdminWithMocks(page);
  await page.setViewportSize({ width: 1440, height: 420 });
  await open(page, '/admins?section=invoices');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const [list, link] = [
    await sections.boundingBox(),
    await sections.getByRole('link', { name: 'Invoices' }).boundingBox(),
  ];
  assert.ok(list.height < 300 && list.y + list.height <= 420, `the list ends at ${list.y + list.height} px`);
  assert.ok(link.y >= list.y && link.y + link.height <= list.y + list.height + 1, 'the current section is in view');
  await page.getByRole('button', { name: 'Logout' }).click({ trial: true });
});
