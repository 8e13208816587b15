/** Products that a paged list shows first; 'Show more' adds as many again. */
export const PAGE_SIZE = 48;

/** Up to this many products are a small catalogue: the browser has all of them. */
export const SMALL_CATALOGUE = 96;

const MIN_FORGIVING_CHARS = 3;

/** Whether the server may find more than what contains the text. */
export const isForgiving = (search: string): boolean => search.trim().length >= MIN_FORGIVING_CHARS;
