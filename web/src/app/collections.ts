// The categories and cuisines that the shop names, and the addresses of their own pages.

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

/** The categories of a collection's products: the catch-all cuisine gathers the kitchens without a page of their own. */
export const shelvesOf = (label: string): string[] => (label === 'Other' ? ['Lebanese', 'Malaysian'] : [label]);

/** The label of the collection at an address; case and a closing slash do not matter, as for the router. */
export function collectionAt(pages: Collection[], pathname: string): string {
  const plain = pathname.replace(/\/+$/, '').toLowerCase();
  return pages.find((page) => page.path.toLowerCase() === plain)?.label ?? '';
}
