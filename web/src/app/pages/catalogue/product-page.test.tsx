// @vitest-environment happy-dom
// What the page of a product says. Zoom, swiping and what stays in view are in web/e2e.
import { screen, within } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { RouteParamsContext } from '~/app/routing/route-params';
import { testProduct } from '~/testing/product';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import ProductPage from './product-page';

// happy-dom loads no images: without a width they would count as failed.
beforeAll(() => void vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(960));

const images = ['goda pouch.webp', 'goda lifestyle shot.webp', 'goda spices.webp'];

function open(product: unknown) {
  mockApi({
    'GET /api/auth/check-auth': { authenticated: false },
    'GET /api/products/api/productInfo/goda-masala': product,
    'GET /api/products/api/related/goda-masala': { products: [] },
    'GET /api/products/goda-masala/reviews': errorStatus(404, 'product_not_found', 'Product not found'),
    'POST /api/products/goda-masala/opened': { success: true },
  });
  return renderApp(
    <RouteParamsContext value={{ id: 'goda-masala' }}>
      <main>
        <ProductPage />
      </main>
    </RouteParamsContext>,
    '/product/goda-masala',
  );
}

it('has pictures with thumbnails, the name, the delivery and all details', async () => {
  const { user } = open({ product: { ...testProduct, images } });
  await screen.findByRole('heading', { level: 1, name: 'Goda Masala' });
  const thumbs = within(screen.getAllByRole('list', { name: 'Pictures' })[1] as HTMLElement).getAllByRole('button');
  expect(thumbs).toHaveLength(3);
  await user.click(thumbs[1] as HTMLElement);
  const image = screen.getByRole('button', { name: /^Zoom/ }).querySelector('img');
  expect(decodeURIComponent(image?.getAttribute('src') ?? '')).toContain('lifestyle');
  screen.getByText('Delivery within 3-5 days');
  screen.getByLabelText('Deliver to');
  const titles = ['Ingredients', 'No Preservatives', "Why You'll Love It", 'How to Use (Simple Recipe)', 'Shelf Life'];
  for (const name of titles) screen.getByRole('heading', { name });
});

it('has what the law requires on a label, and one mark of the diet', async () => {
  open({ product: testProduct });
  await screen.findByRole('heading', { level: 1, name: 'Goda Masala' });
  const parts = [
    'incl. of all taxes',
    'per g',
    'Net quantity',
    'Country of origin',
    'FSSAI',
    'Consumer care',
    'Generic name',
    'Best before',
  ];
  for (const part of parts) expect(screen.getByRole('main').textContent).toContain(part);
  screen.getByRole('img', { name: 'Vegetarian' });
});

it('says that there is no such product', async () => {
  open(errorStatus(404, 'product_not_found', 'Product not found'));
  await screen.findByRole('heading', { level: 1, name: 'Product not found.' });
  expect(screen.getAllByText('Product not found.')).toHaveLength(2);
});
