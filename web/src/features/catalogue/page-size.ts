/** Products that a paged list shows first; 'Show more' adds as many again. */
export const PAGE_SIZE = 48;
