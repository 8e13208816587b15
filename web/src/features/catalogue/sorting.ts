// The orders of the product list. Large catalogues are sorted by the server, by the same rules
// (crates/http/src/api/catalogue/product_list_query.rs).
import type { Product } from '~/api/types';
import { firstPack } from '~/shared/product/price';
import type { Sort } from './sort';

export const SORT_LABELS: Record<Sort, string> = {
  popular: 'Popular',
  price: 'Price, low to high',
  name: 'Name, A to Z',
  new: 'Newest',
};

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const orLast = (value: number | null | undefined) => value ?? Number.POSITIVE_INFINITY;

/** `products` are in the order in which they came into the shop. */
export function sortProducts(products: Product[], sort: Sort): Product[] {
  if (sort === 'new') return [...products].reverse();
  return [...products].sort((one, other) => {
    if (sort === 'name') return compareText(one.product_name.toLowerCase(), other.product_name.toLowerCase());
    const key = (product: Product) => orLast(sort === 'price' ? firstPack(product).price : product.trendingRank);
    const [first, second] = [key(one), key(other)];
    return first === second ? 0 : first - second;
  });
}
