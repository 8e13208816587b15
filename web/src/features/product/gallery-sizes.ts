// The sizes of the product page's main image, shared by the page and by the preload in its head.
export const PRODUCT_SIZES = '(min-width: 1024px) 620px, (min-width: 768px) 46vw, calc(100vw - 2rem)';
export const PRODUCT_WIDTHS = [480, 640, 768, 960, 1280, 1920] as const;
