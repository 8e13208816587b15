// axe finds no violations on any public page, light and dark. The main pages on a phone are in whole-page.e2e.mjs.
import assert from 'node:assert/strict';
import { expectNoViolations, violations } from './axe.mjs';
import { open, test } from './fixtures.mjs';

const paths = [
  '/',
  '/sub-products',
  '/sub-products?search=zzzz',
  '/products',
  '/product/goda-masala',
  '/search?q=masala',
  '/categories/Veg',
  '/cuisines/thai',
  '/wishlist',
  '/about-us',
  '/contact-us',
  '/cancellation-policy',
  '/privacy-policy',
  '/shipping-policy',
  '/terms-and-conditions',
  '/no/such/page',
];

for (const path of paths) {
  test(
    `axe: ${path}, light and dark`,
    async ({ page }) => {
      await open(page, path);
      await expectNoViolations(page, path);
    },
    { expected: [/404/] },
  );
}

test('axe: login modal and cart panel', async ({ page }) => {
  await open(page, '/');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Cart' }).click();
  await page.getByRole('dialog', { name: 'Your Cart' }).waitFor();
  assert.deepEqual(await violations(page), []);
});
