// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { testProduct } from '~/testing/product';
import { type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { ProductsSection } from '../products-section';

const NOT_ALLOWED = 'https://elsewhere.example/goda.png';
const SETTING = 'image_hosts under [pictures] in the configuration';

it('the form names an image that cannot be shown, at once and after saving', async () => {
  let product: Product = testProduct;
  mockApi({
    ...signedIn,
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/products/api/filters': { categories: ['Maharashtrian'], quantities: [] },
    'GET /api/admin/products': () => ({ products: [product], total: 1, page: 1, pages: 1 }),
    'GET /api/admin/products/goda-masala': () => ({ product }),
    'PUT /api/admin/updateProduct/goda-masala': ({ body }: MockRequest) => {
      product = { ...product, images: (body as Product).images, version: product.version + 1 };
      return { product };
    },
  });
  const { user } = renderApp(
    <ImageHosts value={['images.example.com']}>
      <ProductsSection />
    </ImageHosts>,
    '/admins?section=products&product=goda-masala',
  );
  await screen.findByText('A picture that was uploaded before, or one on images.example.com');
  await user.type(screen.getByLabelText('File name or address of a picture'), NOT_ALLOWED);
  const why = `Customers do not see this image: elsewhere.example is not in ${SETTING}. Add it there, or upload the image.`;
  await screen.findByText(why);
  await user.click(screen.getByRole('button', { name: 'Add' }));
  const rows = within(screen.getByRole('list', { name: 'Pictures' })).getAllByRole('listitem');
  const row = rows.find(({ textContent }) => textContent?.includes(NOT_ALLOWED)) as HTMLElement;
  within(row).getByText(why);
  expect(row.querySelector('[data-image="none"]')).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save product' }));
  const summary = `Customers do not see 1 image: elsewhere.example is not in ${SETTING}.`;
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain(summary));
  within(await screen.findByRole('article', { name: 'Goda Masala' })).getByText(summary);
  expect(product.images).toContain(NOT_ALLOWED);
});
