// The account: signing in while adding to the cart, wishlist, addresses, profile, signing out.
import assert from 'node:assert/strict';
import {
  expectCartLabel,
  newCustomer,
  newEmail,
  putIntoCart,
  saveAddress,
  testOnPhone,
  testOnPhoneAndDesktop,
} from './customer-fixtures.mjs';
import { base, eventually, open, signIn, toast, waitForIdle, withClient } from './fixtures.mjs';

const PROFILE = '/user/dashboard/profile';

testOnPhoneAndDesktop('A visitor adds an item: sign-in with Google, then the item is in the cart', async ({ page }) => {
  await open(page, '/product/goda-masala');
  await page.getByRole('button', { name: 'More: 50 g packs' }).click();
  await page.getByRole('button', { name: 'More: 50 g packs' }).click();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await toast(page, 'Please login to add items to cart').waitFor();
  const dialog = page.getByRole('dialog', { name: 'Welcome Back!' });
  await dialog.getByRole('button', { name: 'Sign in with Google' }).click();
  await page.waitForURL(/\/sandbox\//);
  await page.getByRole('textbox').first().fill(newEmail('visitor'));
  // The toast is shown for two seconds: after waiting for the page it could be gone.
  const shown = toast(page, 'Item added to cart successfully').waitFor();
  await page.keyboard.press('Enter');
  await shown;
  assert.equal(new URL(page.url()).pathname, '/product/goda-masala');
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  await panel.getByText('Goda Masala').first().waitFor();
  await page.waitForURL((url) => url.search === '');
  await panel.getByRole('button', { name: 'Close' }).click();
  await expectCartLabel(page, 'Cart, 2 packs');
});

testOnPhone('A failed sign-in shows its message once', async ({ page }) => {
  const [rejected, unavailable] = [/Google did not confirm it/, 'Signing in does not work right now'];
  await open(page, '/about-us');
  await page.goto('/api/auth/google/login?returnTo=/about-us', { waitUntil: 'domcontentloaded' });
  await page.getByRole('link', { name: 'Cancel' }).click();
  await toast(page, rejected).waitFor();
  await eventually(() => page.url(), `${base}/about-us`, 'the page on which it began');
  await open(page, '/contact-us');
  await page.goBack();
  await waitForIdle(page);
  await eventually(() => toast(page, rejected).count(), 0, 'not again');
  await open(page, '/?signIn=unavailable');
  await toast(page, unavailable).waitFor();
  await eventually(() => page.url(), `${base}/`);
});

testOnPhone('From the wishlist into the cart', async ({ page }) => {
  await newCustomer(page, '/product/chai-masala');
  await page.getByRole('button', { name: 'Add Chai Masala to wishlist' }).click();
  await toast(page, 'Added to wishlist').waitFor();
  await open(page, '/wishlist');
  await page.getByRole('button', { name: 'Move to Cart' }).click();
  await toast(page, 'Moved to cart').waitFor();
  await page.getByText('Your wishlist is empty.').waitFor();
  await expectCartLabel(page, 'Cart, 1 pack');
});

testOnPhone(
  'Offline, an address is not saved, and the dialog says so at once where it can be seen',
  async ({ page, context }) => {
    await newCustomer(page, `${PROFILE}?tab=addresses`);
    await page.getByRole('button', { name: 'Add New Address' }).click();
    const form = page.getByRole('dialog', { name: 'Add New Address' });
    const typed = {
      'Address name': 'Home',
      Phone: '98765 43210',
      Pincode: '411030',
      'Address line 1': '12 Laxmi Road',
    };
    for (const [label, text] of Object.entries(typed)) await form.getByLabel(label).fill(text);
    await eventually(() => form.getByLabel('City').inputValue(), 'Pune');
    await context.setOffline(true);
    await form.getByRole('button', { name: 'Add address' }).click();
    const error = form.getByRole('alert').filter({ hasText: 'Failed to add address' });
    await error.waitFor();
    const isInView = ([first]) => {
      const { left, top, right, bottom } = first.getBoundingClientRect();
      return document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest('[role="alert"]') === first;
    };
    assert.ok(await error.evaluateAll(isInView));
    await context.setOffline(false);
    await form.getByRole('button', { name: 'Add address' }).click();
    await toast(page, 'Address added successfully').waitFor();
  },
  { expected: [/ERR_INTERNET_DISCONNECTED/] },
);

testOnPhone(
  'An address is added; its pincode fills in city and state; edited, made default, deleted',
  async ({ page }) => {
    await newCustomer(page, PROFILE);
    await page.getByRole('tab', { name: 'Addresses' }).click();
    await page.getByText('No addresses yet').waitFor();
    await page.getByRole('button', { name: 'Add New Address' }).click();
    const form = page.getByRole('dialog', { name: 'Add New Address' });
    await eventually(
      () => form.getByLabel('Full name').inputValue(),
      (name) => name !== '',
      'the name of the profile',
    );
    await form.getByLabel('Full name').fill('');
    await form.getByRole('button', { name: 'Add address' }).click();
    for (const label of ['Address name', 'Full name', 'Phone', 'Pincode', 'Address line 1', 'City', 'State']) {
      await form.getByText(`${label} is required`).waitFor();
    }
    await eventually(() => form.getByText('Address line 2 is required').count(), 0);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'addressName');

    await form.getByLabel('Address name').fill('Home');
    await form.getByLabel('Full name').fill('Asha Kulkarni');
    await form.getByLabel('Phone').fill('98765');
    await form.getByLabel('Pincode').fill('999999');
    await form.getByText('Phone must be a 10-digit phone number').waitFor();
    await form.getByText('Invalid pincode.').waitFor();
    await form.getByLabel('Phone').fill('98765 43210');
    await form.getByLabel('Pincode').fill('411030');
    await eventually(() => form.getByLabel('City').inputValue(), 'Pune');
    await eventually(() => form.getByLabel('State').inputValue(), 'Maharashtra');
    await form.getByLabel('Address line 1').fill('12 Laxmi Road');
    await form.getByRole('button', { name: 'Add address' }).click();
    await toast(page, 'Address added successfully').waitFor();
    await form.waitFor({ state: 'hidden' });
    await page.getByText('+91 98765 43210').waitFor();
    await eventually(() => page.getByText('Default', { exact: true }).count(), 1, 'the first address is the default');

    await saveAddress(page, { addressName: 'Work', isDefault: false });
    await open(page, `${PROFILE}?tab=addresses`);
    await page.getByRole('button', { name: 'Set as default Work' }).click();
    await toast(page, 'Default address updated').waitFor();
    await page.getByRole('button', { name: 'Set as default Home' }).waitFor();
    await page.getByRole('button', { name: 'Edit Work' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Address' });
    await edit.getByLabel('Address line 1').fill('Cerebrum IT Park');
    await edit.getByRole('button', { name: 'Save address' }).click();
    await toast(page, 'Address updated successfully').waitFor();
    await page.getByText('Cerebrum IT Park').first().waitFor();
    await page.getByRole('button', { name: 'Delete Work' }).click();
    const question = page.getByRole('dialog', { name: 'Are you sure you want to delete this address?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await toast(page, 'Address deleted successfully').waitFor();
    await page.getByText('Cerebrum IT Park').first().waitFor({ state: 'detached' });
  },
);

testOnPhone('The profile is edited, and gets an image cropped to a square', async ({ page }) => {
  await newCustomer(page, PROFILE);
  await page.getByRole('heading', { name: 'My Profile' }).waitFor();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Name').fill('Asha Devi Kulkarni');
  await page.getByLabel('Phone').fill('12');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Phone must be a 10-digit phone number').waitFor();
  await page.getByLabel('Phone').fill('9876543210');
  await page.getByLabel('Date of birth').fill('1990-02-28');
  await page.getByLabel('Gender').selectOption('female');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await toast(page, 'Profile updated successfully').waitFor();
  await page.getByText('28 Feb 1990').waitFor();
  await page.getByText('+91 98765 43210').waitFor();
  await page.getByRole('heading', { name: 'Asha Devi Kulkarni' }).waitFor();

  const sent = page.waitForRequest((request) => request.url().endsWith('/api/user/profile-picture'));
  await page.getByLabel('Profile picture').setInputFiles({
    name: 'portrait.svg.png',
    mimeType: 'image/png',
    buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
  });
  const crop = page.getByRole('dialog', { name: 'Crop your picture' });
  await crop.getByRole('application').focus();
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  await crop.getByRole('slider', { name: 'Zoom' }).fill('2');
  await crop.getByRole('button', { name: 'Use this picture' }).click();
  await toast(page, 'Profile picture updated successfully').waitFor();
  const { profilePicture } = (await sent).postDataJSON();
  assert.match(profilePicture, /^data:image\/jpeg;base64,/);
  const size = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, profilePicture);
  assert.deepEqual(size, [512, 512]);
  // The image is on the page and in the header, and it loads.
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('img[src*="/images/people/"]')].filter((image) => image.naturalWidth > 0).length >=
      2,
  );
});

testOnPhone('Sign out resets everything, in the other tabs too', async ({ page, context }) => {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 1, 1);
  const other = await context.newPage();
  await open(other, '/user/dashboard/profile');
  await other.getByRole('button', { name: 'Edit profile' }).waitFor();
  await expectCartLabel(other, 'Cart, 2 packs');

  await open(page, '/');
  await page.getByRole('banner').locator('button[aria-expanded][aria-controls]:not([aria-controls="menu"])').click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor();

  await other.getByRole('button', { name: 'Sign in to continue' }).waitFor();
  await other.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor();
  await expectCartLabel(other, 'Cart');
});

testOnPhone('Sign out everywhere ends the session on other devices', async ({ page }) => {
  const email = await newCustomer(page, PROFILE);
  await withClient(async (elsewhere) => {
    await signIn(elsewhere, email);
    assert.equal((await elsewhere.request.get('/api/userinfo')).status(), 200);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const question = page.getByRole('dialog', { name: 'Sign out on every device?' });
    await question.getByRole('button', { name: 'Sign out everywhere' }).click();
    await toast(page, 'Signed out everywhere').waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor();
    assert.equal((await elsewhere.request.get('/api/userinfo')).status(), 401);
  });
});
