// Data for search engines and link previews: JSON-LD, the share image, and the image to preload.
import { productQuery, reviewsQuery } from '~/api/queries/catalogue';
import type { Product, Review } from '~/api/types';
import { HERO_PHONE_WIDTHS, HERO_WIDE_WIDTHS, heroImages, heroSlides } from '~/features/home/hero-slides';
import { PRODUCT_SIZES, PRODUCT_WIDTHS } from '~/features/product/gallery-sizes';
import { canShowImage, isImageUrl } from '~/shared/product/images/image-hosts';
import {
  lifestyleImageIndex,
  productImage,
  productImageUrl,
  siteImageUrl,
  srcSet,
} from '~/shared/product/images/image-url';
import { priceOf } from '~/shared/product/price';
import type { RouteContext, ShopRoute } from '../routing/routes';

type Json = Record<string, unknown>;

export function structuredData(route: ShopRoute, context: RouteContext): Json[] {
  const product = productOf(route, context);
  if (route.page === 'home') return [organization(context), website(context)];
  if (product) {
    return [
      productData(product, context),
      breadcrumbs(context, [
        ['Products', '/sub-products'],
        [product.product_name, context.pathname],
      ]),
    ];
  }
  if (route.page === 'sub-products') {
    const category = context.query.all('category')[0];
    const trail: [string, string][] = [['Products', '/sub-products']];
    if (category) trail.push([category, `/sub-products?category=${encodeURIComponent(category)}`]);
    return [breadcrumbs(context, trail)];
  }
  return [];
}

export function shareImage(route: ShopRoute, context: RouteContext): string {
  const product = productOf(route, context);
  const index = product ? lifestyleImageIndex(product) : 0;
  if (product && canShow(context, product.images[index])) return absolute(context, imageOf(product, index));
  return absolute(context, siteImageUrl('og.jpg', 1280));
}

/** The largest image above the fold, so that the browser requests it before it has parsed the page. */
export function preloadImage(route: ShopRoute, context: RouteContext): string {
  const product = productOf(route, context);
  if (product) {
    const file = product.images.find((each) => canShow(context, each));
    if (file === undefined) return '';
    if (isImageUrl(file)) return `<link rel="preload" as="image" href="${attribute(file)}" fetchpriority="high">`;
    return preload(srcSet(productImage(product, product.images.indexOf(file)), PRODUCT_WIDTHS), PRODUCT_SIZES);
  }
  const slide = route.page === 'home' ? heroSlides[0] : undefined;
  if (!slide) return '';
  const { wide, phone } = heroImages(slide);
  return [
    preload(srcSet(phone, HERO_PHONE_WIDTHS), '100vw', '(max-width: 767px)'),
    preload(srcSet(wide, HERO_WIDE_WIDTHS), '100vw', '(min-width: 768px)'),
  ].join('\n    ');
}

function preload(set: string, sizes: string, media = ''): string {
  const only = media ? ` media="${media}"` : '';
  return `<link rel="preload" as="image" imagesrcset="${attribute(set)}" imagesizes="${attribute(sizes)}"${only} fetchpriority="high">`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
}

function productOf(route: ShopRoute, context: RouteContext): Product | undefined {
  return route.page === 'product' ? (context.read(productQuery(context.param('id'))) ?? undefined) : undefined;
}

function canShow(context: RouteContext, file = ''): boolean {
  return canShowImage(file, context.shop?.imageHosts ?? []);
}

function imageOf(product: Product, index: number): string {
  return productImageUrl(product.images[index] ?? '', 1280, product.image_details[index]?.version);
}

function absolute(context: RouteContext, path: string): string {
  return path.startsWith('http') ? path : `${context.shop?.publicUrl ?? ''}${path}`;
}

function organization(context: RouteContext): Json {
  const { shop } = context;
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: shop?.name,
    legalName: shop?.legalName,
    url: absolute(context, '/'),
    logo: absolute(context, '/icons/icon-512.png'),
    address: shop?.address,
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer service',
      telephone: shop?.supportPhone,
      email: shop?.supportEmail,
      areaServed: 'IN',
    },
    sameAs: Object.values(shop?.social ?? {}).filter(Boolean),
  };
}

function website(context: RouteContext): Json {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: context.shop?.name,
    url: absolute(context, '/'),
    potentialAction: {
      '@type': 'SearchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${absolute(context, '/sub-products')}?search={search_term_string}`,
      },
      'query-input': 'required name=search_term_string',
    },
  };
}

function productData(product: Product, context: RouteContext): Json {
  const url = absolute(context, `/product/${product._id}`);
  const stock = { 50: product.packaging_50gms, 100: product.packaging_100gms };
  const offers = ([50, 100] as const).flatMap((grams) => {
    const price = priceOf(product.mrp, grams);
    if (price === undefined) return [];
    const available = Math.min(Math.floor(product.stock / grams), stock[grams]) > 0;
    return [
      {
        '@type': 'Offer',
        name: `${grams} g`,
        price: price.toFixed(2),
        priceCurrency: 'INR',
        availability: available ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock',
        itemCondition: 'https://schema.org/NewCondition',
        url,
        shippingDetails: shippingDetails(),
        hasMerchantReturnPolicy: returnPolicy(context),
        seller: { '@type': 'Organization', name: context.shop?.legalName || context.shop?.name },
      },
    ];
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.product_name,
    description: product.description,
    sku: product._id,
    image: product.images.flatMap((file, index) =>
      canShow(context, file) ? [absolute(context, imageOf(product, index))] : [],
    ),
    brand: { '@type': 'Brand', name: context.shop?.name ?? 'Mirasa' },
    category: product.category[0],
    countryOfOrigin: product.country_of_origin,
    url,
    ...(offers.length > 0 ? { offers } : {}),
    ...reviewData(product, context),
  };
}

/** What the page Shipping & Delivery says; the product feed has the same (crates/http/src/pages/feeds.rs). */
function shippingDetails(): Json {
  const days = (minValue: number, maxValue: number) => ({
    '@type': 'QuantitativeValue',
    minValue,
    maxValue,
    unitCode: 'DAY',
  });
  return {
    '@type': 'OfferShippingDetails',
    shippingRate: { '@type': 'MonetaryAmount', value: '0.00', currency: 'INR' },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'IN' },
    deliveryTime: { '@type': 'ShippingDeliveryTime', handlingTime: days(0, 7), transitTime: days(3, 5) },
  };
}

/** What the page Cancellation & Refund says: damaged or wrong packs are replaced or refunded, and nothing is sent back. */
function returnPolicy(context: RouteContext): Json {
  return {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'IN',
    returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted',
    merchantReturnLink: absolute(context, '/cancellation-policy'),
  };
}

/** What the page shows: the mean from three reviews on, and the reviews that are rendered. */
function reviewData(product: Product, context: RouteContext): Json {
  const { rating } = product;
  const reviews = context.read(reviewsQuery(product._id))?.reviews ?? [];
  return {
    ...(rating && {
      aggregateRating: { '@type': 'AggregateRating', ratingValue: rating.value, reviewCount: rating.count },
    }),
    ...(reviews.length > 0 && { review: reviews.map(oneReview) }),
  };
}

const oneReview = ({ stars, author, createdAt, text }: Review): Json => ({
  '@type': 'Review',
  reviewRating: { '@type': 'Rating', ratingValue: stars },
  author: { '@type': 'Person', name: author },
  datePublished: createdAt.slice(0, 10),
  ...(text && { reviewBody: text }),
});

function breadcrumbs(context: RouteContext, trail: [string, string][]): Json {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [['Home', '/'] as [string, string], ...trail].map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: absolute(context, path),
    })),
  };
}
