// The descriptions of pages for search engines. Only the server render needs them.
import { productQuery } from '~/api/queries/catalogue';
import { categoryPages, collectionForPath, cuisinePages } from '../routing/collections';
import type { PageKey } from '../routing/page-keys';
import type { RouteContext } from '../routing/routes';

const descriptions: Partial<Record<PageKey, string | ((context: RouteContext) => string)>> = {
  home: 'Small-batch Indian masalas and mixes from kitchens of the world, packed in 50 g and 100 g pouches and delivered within 3-5 days.',
  category: ({ pathname }) =>
    `Our ${collectionForPath(categoryPages, pathname)} masalas and mixes, in 50 g and 100 g pouches.`,
  cuisine: ({ pathname }) =>
    `Mixes for ${collectionForPath(cuisinePages, pathname)} cooking at home, in 50 g and 100 g pouches.`,
  'sub-products': 'Every masala and mix we make. Filter by category, or search by name.',
  product: (context) => context.read(productQuery(context.param('id')))?.description ?? '',
  'simple-products': 'All our masalas at a glance: ingredients, a recipe, prices and pack sizes.',
  about: 'How a Pune kitchen became a masala house: our story, our philosophy and what we promise.',
  contact: 'Write to us, call us or visit us in Pune. We answer every message.',
  cancellation: 'When an order can be cancelled, how damage is reported, and when refunds arrive.',
  privacy: 'What we keep about you, why, for how long, and how to have it deleted.',
  shipping: 'Dispatch within 0-7 business days, delivery within 3-5 days, anywhere in India.',
  terms: 'The terms on which we sell and you buy.',
};

export function descriptionOf(page: PageKey, context: RouteContext): string {
  const own = descriptions[page];
  return (typeof own === 'function' ? own(context) : own) || context.shop?.tagline || '';
}
