// Specification, section 2: Header, Search, Login modal; section 4: theme.
import assert from 'node:assert/strict';
import {
  desktop,
  eventually,
  open,
  openWithFakeClock,
  phone,
  signIn,
  test,
  timeUntil,
  waitForIdle,
  withMotion,
} from './fixtures.mjs';

const searchBox = (page) => page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');

test('Header: logo linking home; links Home, Products, Contact Us, About Us', async ({ page }) => {
  await open(page, '/about-us');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await eventually(() => nav.getByRole('link').allInnerTexts(), ['Home', 'Products', 'Contact Us', 'About Us']);
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).first().click();
  await page.waitForURL('**/');
});

test('The top navigation bar is hidden on any path starting with /admin', async ({ page }) => {
  await open(page, '/admins');
  await eventually(() => page.getByRole('banner').count(), 0);
});

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

test('Signed in: first name; dropdown with name, email, Profile, My Orders, Logout', async ({ page }) => {
  await signIn(page, 'asha@example.com', '/');
  const trigger = page.getByRole('banner').locator('button[aria-expanded][aria-controls]:not([aria-controls="menu"])');
  await trigger.click();
  const menu = page.getByRole('navigation', { name: 'Your account' });
  await menu.waitFor();
  await page.getByText('asha@example.com').waitFor();
  for (const name of ['Profile', 'My Orders'])
    await eventually(() => menu.getByRole('link', { name, exact: true }).count(), 1);
  await eventually(() => menu.getByRole('button', { name: 'Logout' }).count(), 1);
  await page.mouse.click(700, 700);
  await menu.waitFor({ state: 'hidden' });
  await trigger.click();
  await menu.getByRole('link', { name: 'Profile' }).click();
  await page.waitForURL('**/user/dashboard/profile');
  await menu.waitFor({ state: 'hidden' });
});

test('Typing filters a fixed list of names (case-insensitive substring) and shows suggestions', async ({ page }) => {
  await open(page, '/about-us');
  const box = searchBox(page);
  await box.fill('MISAL');
  await eventually(() => page.getByRole('option').allInnerTexts(), ['Kolhapuri Misal Masala']);
  await page.getByRole('option').click();
  await page.waitForURL(
    (url) => url.pathname === '/sub-products' && url.searchParams.get('search') === 'Kolhapuri Misal Masala',
  );
  await page.getByRole('heading', { name: 'Kolhapuri Misal Masala' }).waitFor();
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

test('Enter or the search icon goes to /sub-products', async ({ page }) => {
  await open(page, '/contact-us');
  const box = searchBox(page);
  await box.fill('sambar');
  await page.getByRole('button', { name: 'Search', exact: true }).locator('visible=true').click();
  await page.waitForURL((url) => url.pathname === '/sub-products');
  await page.getByRole('heading', { name: 'Sambar Masala' }).waitFor();
});

test('On route / the search text and suggestions are cleared', async ({ page }) => {
  await open(page, '/about-us');
  const box = searchBox(page);
  await box.fill('tikka');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await page.waitForURL('**/');
  await eventually(() => box.inputValue(), '');
  await page.getByRole('listbox').locator('visible=true').waitFor({ state: 'hidden' });
});

test(
  'The placeholder rotates through product names every 2.5 seconds',
  async ({ page }) => {
    await openWithFakeClock(page, '/about-us');
    const shown = () => searchBox(page).getAttribute('placeholder');
    const untilNext = async () => {
      const before = await shown();
      return timeUntil(page, async () => (await shown()) !== before);
    };
    await untilNext();
    assert.equal(await untilNext(), 2500);
  },
  withMotion,
);

test(
  'The placeholder does not change under reduced motion',
  async ({ page }) => {
    await openWithFakeClock(page, '/about-us');
    const shown = () => searchBox(page).getAttribute('placeholder');
    const first = await shown();
    await page.clock.runFor(6000);
    await waitForIdle(page);
    assert.equal(await shown(), first);
  },
  { reducedMotion: 'reduce' },
);

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

test('The search results page: Search Results for the query, a grid of image and name, No results found.', async ({
  page,
}) => {
  await open(page, '/search?q=masala');
  await page.getByRole('heading', { name: /Search Results for/ }).waitFor();
  await eventually(
    () => page.locator('main li a img').count(),
    (count) => count > 3,
  );
  await open(page, '/search?q=zzzz');
  await page.getByText('No results found.').waitFor();
});

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
