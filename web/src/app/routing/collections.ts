// The categories and cuisines that have a page of their own, with the paths of these pages.

export type Collection = { path: string; label: string };

export const categoryPages: Collection[] = [
  { path: '/categories/Veg', label: 'Veg' },
  { path: '/categories/NonVeg', label: 'Non-Veg' },
  { path: '/categories/Snacks', label: 'Snacks' },
  { path: '/categories/Soups', label: 'Soups' },
  { path: '/categories/biryani', label: 'Rice Mixes' },
  { path: '/categories/SouthIndian', label: 'South Indian' },
  { path: '/categories/Maharashtrian', label: 'Maharashtrian' },
  { path: '/categories/Beverages', label: 'Beverages' },
  { path: '/categories/pickle', label: 'Pickle' },
];

export const cuisinePages: Collection[] = [
  { path: '/cuisines/american', label: 'American' },
  { path: '/cuisines/thai', label: 'Thai' },
  { path: '/cuisines/mexican', label: 'Mexican' },
  { path: '/cuisines/italian', label: 'Italian' },
  { path: '/cuisines/chinese', label: 'Chinese' },
  { path: '/cuisines/other', label: 'Other' },
];

/** The product categories of a collection: 'Other' includes the cuisines that have no page of their own. */
export const categoriesOf = (label: string): string[] => (label === 'Other' ? ['Lebanese', 'Malaysian'] : [label]);

/** The label of the collection at a path; case and a trailing slash do not matter, as in the router. */
export function collectionForPath(pages: Collection[], pathname: string): string {
  const plain = pathname.replace(/\/+$/, '').toLowerCase();
  return pages.find((page) => page.path.toLowerCase() === plain)?.label ?? '';
}
