// The orders of a product list. Small, because the routes read it; `sorting.ts` sorts.
export const SORTS = ['popular', 'price', 'name', 'new'] as const;
export type Sort = (typeof SORTS)[number];

/** The order that a URL names; `popular` is the default and is not written into URLs. */
export const parseSort = (text: string): Sort => SORTS.find((sort) => sort === text) ?? 'popular';
