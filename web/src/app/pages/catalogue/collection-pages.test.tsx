// @vitest-environment happy-dom
// What the pages of categories and cuisines say and offer.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { testProduct } from '~/testing/product';
import { mockApi, renderApp } from '~/testing/render';
import CategoryPage from './category-page';
import CuisinePage from './cuisine-page';

it.each([
  ['/categories/SouthIndian', CategoryPage, 'Page under maintenance', ['Rasam Powder', 'Sambar Masala']],
  ['/cuisines/mexican', CuisinePage, 'Mexican Cuisine Page - Under Maintenance', ['Taco Mix', 'Salsa Mix']],
])('%s says that it is under maintenance, and offers its products', async (url, Page, title, names) => {
  const shelf = { 'Rasam Powder': 'South Indian', 'Sambar Masala': 'South Indian', Poha: 'Veg' };
  const more = { 'Taco Mix': 'Mexican', 'Salsa Mix': 'Mexican' };
  const products = Object.entries({ ...shelf, ...more }).map(([product_name, category]) => ({
    ...testProduct,
    _id: product_name,
    product_name,
    category: [category],
  }));
  mockApi({
    'GET /api/auth/check-auth': { authenticated: false },
    'GET /api/products/api/filters': { categories: [], counts: [], quantities: [] },
    'GET /api/products/api/productInfo': { products, total: products.length, page: 1, pages: 1 },
  });
  renderApp(<Page />, url);
  screen.getByRole('heading', { level: 1, name: title });
  const cards = await screen.findAllByRole('article');
  expect(cards.map((card) => card.querySelector('h2')?.textContent)).toEqual(names);
});
