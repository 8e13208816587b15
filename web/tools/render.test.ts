// Tests of the server bundle in a context like the server's engine: only the language, no URL, TextEncoder, timers, Intl.
// They need a build (dist/server/render.js).
import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';

type Rendered = { status: number; head: string; body: string; state: string; cacheable: boolean };

const product = (id: string, name: string, category: string[], rank: number | null) => ({
  _id: id,
  product_name: name,
  devanagari_name: 'गोडा मसाला',
  generic_name: 'Blended spice powder',
  description: `${name}, roasted slowly.`,
  diet: 'veg',
  heat: 'mild',
  country_of_origin: 'India',
  ingredients: ['Coriander seed', 'Dry coconut'],
  preservatives: 'No added preservatives.',
  nutrition_facts: { Energy: '342 kcal', Fat: '14 g', Protein: '12 g', Carbohydrate: '41 g', Sugar: '4 g' },
  fssai_reg_no: '10026022000417',
  recipe: ['Heat the oil.'],
  manufactured_marketed_by: 'Mirasa Foods Pvt. Ltd.',
  address: 'Pune',
  email: 'care@mirasa.example',
  customer_care_no: '+91 20 5550 0142',
  mrp: [65, 120],
  net_wt: [
    { value: 50, unit: 'g' },
    { value: 100, unit: 'g' },
  ],
  best_before: '',
  category,
  why_you_will_love_it: ['It smells of home.'],
  images: [`${id} pouch.webp`, `${id} lifestyle shot.webp`],
  image_details: [
    { file: `${id} pouch.webp`, alt: name, width: 1600, height: 1600, colour: '#caa', version: 'v1' },
    { file: `${id} lifestyle shot.webp`, alt: name, width: 1600, height: 1600, colour: '#a42', version: 'v1' },
  ],
  stock: 4200,
  packaging_50gms: 32,
  packaging_100gms: 26,
  isVisible: true,
  trendingRank: rank,
  hsn_code: '09109100',
  gst_rate_percent: 5,
  updatedAt: '2026-11-01T00:00:00Z',
  version: 1,
});

const products = [
  product('goda-masala', 'Goda Masala', ['Maharashtrian', 'Veg'], 1),
  product('chicken-chettinad-masala', 'Chicken Chettinad Masala', ['South Indian', 'Non-Veg'], 2),
];
const shop = {
  name: 'Mirasa',
  tagline: 'Masalas with memory',
  legalName: 'Mirasa Foods Pvt. Ltd.',
  supportPhone: '+91 20 5550 0142',
  supportEmail: 'care@mirasa.example',
  address: 'Pune',
  fssai: '10026022000417',
  grievanceOfficer: { name: 'A. Kulkarni', email: 'grievance@mirasa.example', phone: '+91 20 5550 0143' },
  social: { instagram: 'https://instagram.com/mirasa', facebook: '', youtube: '', x: '' },
  whatsapp: 'https://wa.me/912055500142',
  map: { latitude: 18.6, longitude: 73.8, label: 'Mirasa' },
  publicUrl: 'https://mirasa.example',
  sandbox: true,
};
const responses: Record<string, unknown> = {
  '/api/shop': { shop },
  '/api/products/api/productInfo?limit=96': { products, total: 2 },
  '/api/products/api/trending': { products },
  '/api/products/api/filters': {
    categories: ['Maharashtrian', 'Veg', 'South Indian', 'Non-Veg'],
    quantities: ['50 g', '100 g'],
  },
  '/api/products/api/productInfo/goda-masala': { product: products[0] },
};

function hostGet(path: string): string {
  const body = responses[path];
  return JSON.stringify(
    body ? { status: 200, body } : { status: 404, body: { error: 'Product not found.', code: 'product_not_found' } },
  );
}

let render: (path: string) => Rendered;

beforeAll(() => {
  const bare = createContext({ hostGet });
  // A new context has some globals that the engine lacks: remove them.
  new Script(
    'for (const name of ["Intl", "WebAssembly", "console", "SharedArrayBuffer"]) delete globalThis[name];',
  ).runInContext(bare);
  new Script(readFileSync(new URL('../dist/server/render.js', import.meta.url), 'utf8')).runInContext(bare);
  const text = bare.render as (path: string) => string;
  render = (path) => JSON.parse(text(path)) as Rendered;
});

describe('the server render', () => {
  it.each([
    ['/', 200, 'Goda Masala'],
    ['/products', 200, 'Chicken Chettinad Masala'],
    ['/sub-products?category=Veg', 200, 'Goda Masala'],
    ['/product/goda-masala', 200, 'Deliver to'],
    ['/about-us', 200, 'About'],
    ['/search', 200, 'Search Results for'],
    ['/categories/Veg', 200, 'Page under maintenance'],
    ['/cuisines/thai', 200, 'Thai Cuisine Page - Under Maintenance'],
    ['/product/no-such-thing', 404, 'Product not found.'],
    ['/no/such/page', 404, 'This shelf is empty'],
  ])('%s has status %i', (path, status, text) => {
    const page = render(path);
    expect(page.status).toBe(status);
    expect(page.body).toContain(text);
    expect(page.head).toMatch(/<title>[^<]+<\/title>/);
    expect(() => JSON.parse(page.state)).not.toThrow();
  });

  it('shows only the chosen category', () => {
    const main = render('/sub-products?category=Veg').body.split('<main')[1] ?? '';
    expect(main).not.toContain('Chicken Chettinad');
  });

  it('filters a large catalogue on the server', () => {
    const small = responses['/api/products/api/productInfo?limit=96'];
    const part = [product('soup-masala', 'Soup Masala', ['Soups'], null)];
    responses['/api/products/api/productInfo?limit=96'] = { products, total: 500 };
    responses['/api/products/api/productInfo?search=masala&category=Soups&sort=popular&limit=48'] = {
      products: part,
      total: 73,
    };
    const page = render('/sub-products?search=masala&category=Soups');
    responses['/api/products/api/productInfo?limit=96'] = small;
    const main = page.body.split('<main')[1] ?? '';
    expect(main).toContain('Soup Masala');
    expect(main).toContain('73 products');
    expect(main).toContain('Show more');
    expect(main).not.toContain('Goda Masala');
    expect(page.cacheable).toBe(true);
  });

  it('lets the server cache a page only when none of its data was missing', () => {
    for (const path of ['/', '/wishlist', '/no/such/page']) expect(render(path).cacheable).toBe(true);
    const known = responses['/api/shop'];
    delete responses['/api/shop'];
    expect(render('/').cacheable).toBe(false);
    responses['/api/shop'] = known;
  });

  it('hides the navigation bar on admin paths', () => {
    expect(render('/admins').body).not.toContain('<header');
    expect(render('/about-us').body).toContain('<header');
  });

  it('tells search engines about a product', () => {
    const { head } = render('/product/goda-masala');
    expect(head).toContain('"@type":"Product"');
    expect(head).toContain('"@type":"BreadcrumbList"');
    expect(head).toContain('<link rel="canonical" href="https://mirasa.example/product/goda-masala">');
    expect(render('/').head).toContain('"@type":"Organization"');
  });

  it('escapes the text of a URL', () => {
    const page = render('/search?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(page.head + page.body).not.toContain('<script>alert');
  });
});
