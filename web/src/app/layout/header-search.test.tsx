// @vitest-environment happy-dom
// The search box of the header and the pages it leads to. Its list over the page, and typing in it fast, are in web/e2e.
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import SearchPage from '~/app/pages/catalogue/search-page';
import SubProductsPage from '~/app/pages/catalogue/sub-products-page';
import { setSearchText } from '~/features/search/search-text';
import { useLocation } from '~/lib/router/router';
import { testProduct } from '~/testing/product';
import { type MockRequest, mockApi, renderApp } from '~/testing/render';
import { Header } from './header';

const NAMES = ['Kolhapuri Misal Masala', 'Sambar Masala', 'Mango Pickle Masala', 'Chai Masala'];
const products = NAMES.map((product_name) => ({ ...testProduct, _id: product_name.toLowerCase(), product_name }));

function List() {
  return useLocation().pathname === '/sub-products' && <SubProductsPage />;
}

function open(url: string) {
  mockApi({
    'GET /api/auth/check-auth': { authenticated: false },
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/products/api/filters': { categories: ['Maharashtrian'], quantities: [] },
    'GET /api/products/api/suggestions': { suggestions: [] },
    'GET /api/products/api/productInfo': ({ call }: MockRequest) => {
      const text = new URLSearchParams(call.split('?')[1]).get('search')?.toLowerCase() ?? '';
      const found = products.filter(({ product_name }) => product_name.toLowerCase().includes(text));
      return { products: found, total: found.length, page: 1, pages: 1 };
    },
  });
  const view = renderApp(
    <>
      <Header />
      <List />
    </>,
    url,
  );
  return { ...view, box: firstBox() };
}

/** A phone has the other one. */
const firstBox = () => screen.getAllByRole<HTMLInputElement>('combobox', { name: 'Search masalas' })[0] as HTMLElement;
const isOpen = () => firstBox().getAttribute('aria-expanded');
const options = () => within(screen.getAllByRole('listbox')[0] as HTMLElement).getAllByRole('option');
const reduceMotion = (matches: boolean) =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches && query.includes('reduced-motion'),
    addEventListener() {},
    removeEventListener() {},
  }));

beforeEach(() => setSearchText(''));

it('suggests the names that contain the text in any case; a chosen one is searched for', async () => {
  const { user, box } = open('/about-us');
  await user.type(box, 'MISAL');
  expect(options().map(({ textContent }) => textContent)).toEqual(['Kolhapuri Misal Masala']);
  await user.click(options()[0] as HTMLElement);
  await waitFor(() => expect(window.location.pathname).toBe('/sub-products'));
  expect(new URLSearchParams(window.location.search).get('search')).toBe('Kolhapuri Misal Masala');
  const found = await screen.findByRole('heading', { name: 'Kolhapuri Misal Masala' });
  expect(found.closest('article')).not.toBeNull();
  expect(isOpen()).toBe('false');
});

it.each(['Enter', 'the icon'])('%s goes to the products that contain the text', async (how) => {
  const { user, box } = open('/contact-us');
  await user.type(box, 'sambar');
  if (how === 'Enter') await user.keyboard('{Enter}');
  else await user.click(screen.getAllByRole('button', { name: 'Search' })[0] as HTMLElement);
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe('/sub-products?search=sambar'));
  await screen.findByRole('heading', { name: 'Sambar Masala' });
});

it('on the list of products the URL and the list follow what is typed', async () => {
  const { user, box } = open('/sub-products');
  const shown = () => screen.queryAllByRole('heading', { level: 2, name: /Masala$/ }).map((one) => one.textContent);
  await waitFor(() => expect(shown()).toHaveLength(4));
  await user.type(box, 'pickle');
  await waitFor(() => expect(window.location.search).toBe('?search=pickle'));
  await waitFor(() => expect(shown()).toEqual(['Mango Pickle Masala']));
  await user.clear(box);
  await user.type(box, 'nothing like this');
  await screen.findByText('No products found.');
});

it('the way home clears the text and its suggestions', async () => {
  const { user, box } = open('/about-us');
  await user.type(box, 'tikka');
  expect(isOpen()).toBe('true');
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Home' }));
  await waitFor(() => expect((firstBox() as HTMLInputElement).value).toBe(''));
  expect(window.location.pathname).toBe('/');
  expect(isOpen()).toBe('false');
  expect(screen.queryByRole('listbox')).toBeNull();
});

it.each([
  ['rotates through product names every 2.5 seconds', false],
  ['does not change under reduced motion', true],
])('the placeholder %s', async (_, isReduced) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  reduceMotion(isReduced);
  const { box } = open('/about-us');
  const shown = () => box.getAttribute('placeholder');
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const first = shown();
  await pass(2499);
  expect(shown()).toBe(first);
  await pass(1);
  expect(shown() === first).toBe(isReduced);
  const second = shown();
  await pass(2499);
  expect(shown()).toBe(second);
  await pass(1);
  expect(shown() === second).toBe(isReduced);
  await pass(2500);
  expect(shown() === first).toBe(isReduced);
});

it('the page of results: what was searched for, image and name of each, or that nothing was found', async () => {
  // An image that is not loaded yet has not failed.
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false);
  onTestFinished(() => void vi.restoreAllMocks());
  const results = products.map(({ _id, product_name }) => ({ _id, name: product_name, image: 'goda pouch.webp' }));
  const searched = (text: string) => {
    mockApi({ 'GET /api/api/products/search?q=masala': results, 'GET /api/api/products/search?q=zzzz': [] });
    return renderApp(<SearchPage />, `/search?q=${text}`);
  };
  const view = searched('masala');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Search Results for “masala”');
  const links = await screen.findAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(NAMES);
  for (const link of links) expect(link.closest('li')).not.toBeNull();
  expect(links.map((link) => link.querySelectorAll('img').length)).toEqual([1, 1, 1, 1]);
  view.unmount();
  searched('zzzz');
  await screen.findByText('No results found.');
});
