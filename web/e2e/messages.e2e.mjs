// Contact messages in the admin area: replies by email, narrow screens. The unread count, pages, states and keys are tested
// in src/features/admin/layout/console-messages.test.tsx.
import assert from 'node:assert/strict';
import { message, openAdminWithMocks } from './admin-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { eventually, open, phone, signIn, test, toast, waitForIdle } from './fixtures.mjs';

const MESSAGES = '/admins?section=messages';
const list = (page) => page.getByRole('list', { name: 'List of messages' });
const items = (page) => list(page).getByRole('link');
const sectionLink = (page) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: /^Messages/ });
const textbox = (page) => page.getByRole('textbox', { name: 'Reply' });

const reply = (index, more = {}) => ({
  _id: `reply-${index}`,
  text: `Answer ${index}`,
  by: 'admin@mirasa.example',
  at: '2026-11-14T07:00:00Z',
  delivery: 'sent',
  ...more,
});

test('A message of the contact form is answered by email from the admin area', async ({ page }) => {
  const name = `Ravi ${Date.now()}`;
  await open(page, '/contact-us');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill('ravi@example.com');
  await page.getByLabel('Message').fill('Do you ship to Goa?\nRavi');
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByText('Your message has been sent successfully!').waitFor();

  await signIn(page, 'admin@mirasa.example', '/admins');
  await eventually(() => sectionLink(page).innerText(), /\d/);
  await sectionLink(page).click();
  await items(page).filter({ hasText: name }).click();
  const detail = page.getByRole('article', { name });
  await detail.getByText('Do you ship to Goa?').waitFor();
  await textbox(page).fill('Yes, in 3-5 days.\n\nMirasa');
  await detail.getByRole('button', { name: 'Send and mark as done' }).click();
  await toast(page, 'Reply sent, message done!').waitFor();
  await detail.getByRole('region', { name: 'Replies' }).getByText('Yes, in 3-5 days.').waitFor();
  await detail.getByText('Sent', { exact: true }).waitFor();
  await items(page).filter({ hasText: name }).waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Done' }).click();
  await items(page).filter({ hasText: name }).waitFor();

  await page.goto('/sandbox/mail');
  await page
    .getByRole('link', { name: /Re: Your message to Mirasa\s*to ravi@example.com/ })
    .first()
    .click();
  const text = await page.locator('pre').innerText();
  assert.match(text, new RegExp(`Dear ${name},\\s+Yes, in 3-5 days\\.\\s+Mirasa`));
  assert.match(text, /you wrote:\n> Do you ship to Goa\?\n> Ravi/);
});

test(
  'On a phone a message takes the place of the list, and Back returns to it',
  async ({ page }) => {
    const long = 'x'.repeat(200);
    const messages = [message(2, { name: long, email: `${long}@example.com`, message: long }), message(1)];
    await openAdminWithMocks(page, { messages });
    await open(page, MESSAGES);
    await items(page).last().click();
    await page.getByRole('heading', { name: 'Asha Kulkarni' }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.id), 'message-title');
    await eventually(() => list(page).isVisible(), false);
    for (const name of ['Mark as done', 'Send reply', 'Back to the list']) {
      const { height } = await page.getByRole('button', { name, exact: true }).boundingBox();
      assert.ok(height >= 44, `${name}: ${height} px`);
    }
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-message')), messages[1]._id);
    await items(page).first().click();
    await page.getByRole('article').waitFor();
    const spare = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(spare <= 0, `${spare} px too wide`);
  },
  { viewport: phone },
);

test('axe finds no violations in the messages, light and dark', async ({ page }) => {
  const deliveries = ['sent', 'queued', 'failing'];
  const replies = deliveries.map((delivery, index) => reply(index, { delivery }));
  const readAt = '2026-11-14T07:00:00Z';
  const messages = [message(3), message(2, { replies, readAt }), message(1, { canReply: false, email: '' })];
  await openAdminWithMocks(page, { messages });
  await open(page, MESSAGES);
  await expectNoViolations(page, 'list');
  for (const index of [0, 1, 2]) {
    await items(page).nth(index).click();
    await page.getByRole('article', { name: 'Asha Kulkarni' }).waitFor();
    await waitForIdle(page);
    await expectNoViolations(page, `message ${index}`);
  }
});
