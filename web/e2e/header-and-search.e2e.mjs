// Specification, section 2: Header, Search, Login modal; section 4: theme. What the header says and where its search leads
// is tested in src/app/layout.
import assert from 'node:assert/strict';
import { desktop, eventually, open, phone, test } from './fixtures.mjs';

const searchBox = (page) => page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');

test('Sign In button when signed out opens the login modal', async ({ page }) => {
  await open(page, '/');
  await page.getByRole('button', { name: 'Sign In' }).click();
  const dialog = page.getByRole('dialog', { name: 'Welcome Back!' });
  await dialog.getByText('Login to your account').waitFor();
  await eventually(() => dialog.getByRole('button', { name: 'Sign in with Google' }).count(), 1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Sign In', 'focus comes back');
});

test('Suggestions hide on any click elsewhere and when the text is blank; arrows, Enter and Escape work', async ({
  page,
}) => {
  await open(page, '/about-us');
  const box = searchBox(page);
  const list = page.getByRole('listbox').locator('visible=true');
  await box.fill('masala');
  await list.waitFor();
  const height = await list.evaluate((node) => node.getBoundingClientRect().height);
  assert.ok(height <= 245, `about 15rem, is ${height}px`);
  await page.mouse.click(300, 600);
  await list.waitFor({ state: 'hidden' });
  await box.fill('chai');
  await list.waitFor();
  await box.press('Escape');
  await list.waitFor({ state: 'hidden' });
  await box.press('ArrowDown');
  await list.waitFor();
  await box.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('search') === 'Chai Masala');
  await box.fill('   ');
  await list.waitFor({ state: 'hidden' });
});

test(
  'Mobile has a menu toggle and a second search bar',
  async ({ page }) => {
    await open(page, '/');
    await eventually(() => page.getByRole('navigation', { name: 'Main' }).isVisible(), false);
    await eventually(() => page.getByRole('combobox').locator('visible=true').count(), 1);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'About Us' }).click();
    await page.waitForURL('**/about-us');
    await page.getByRole('navigation', { name: 'Menu' }).waitFor({ state: 'hidden' });
  },
  { viewport: phone },
);

test(
  'Theme: initial is the stored value, else the system dark preference; toggling flips and stores it',
  async ({ page }) => {
    const theme = () => page.evaluate(() => [document.documentElement.dataset.theme, localStorage.getItem('theme')]);
    await open(page, '/');
    assert.deepEqual(await theme(), ['dark', null]);
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    await eventually(theme, ['light', 'light']);
    await open(page, '/about-us');
    assert.deepEqual(await theme(), ['light', 'light']);
  },
  { viewport: desktop, colorScheme: 'dark' },
);
