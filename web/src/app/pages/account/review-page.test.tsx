// @vitest-environment happy-dom
// Who may write a review. Writing one is in web/e2e/reviews.e2e.mjs.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { testProduct } from '~/testing/product';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import ReviewPage from './review-page';

const product = { 'GET /api/products/api/productInfo/goda-masala': { product: testProduct } };
const open = () => renderApp(<ReviewPage />, '/review?product=goda-masala');

it('a visitor without a link is asked to sign in', async () => {
  mockApi({ ...product, 'GET /api/auth/check-auth': { authenticated: false } });
  open();
  await screen.findByRole('button', { name: 'Sign in to continue' });
});

it('who did not receive the product is told so', async () => {
  mockApi({ ...product, ...signedIn, 'GET /api/user/reviews': { reviews: [], canReview: false, helpful: [] } });
  open();
  await screen.findByText(/^Only customers who received Goda Masala can review it\./);
  expect(screen.queryByRole('radio')).toBeNull();
});
