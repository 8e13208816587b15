// The product card as customers will see it, from the current values of the form. It is inert.
import type { Product } from '~/api/types';
import { lifestyleImageIndex } from '~/shared/product/images/image-url';
import { ProductCard } from '~/shared/product/product-card';
import { type Count, countAfter, type ProductValues, parseCount } from './product-form-model';

export function ProductPreview({ values, editing }: { values: ProductValues; editing: Product | null }) {
  const product = previewOf(values, editing);
  return (
    <section aria-label="Preview of the card">
      <p className="eyebrow mb-3 text-ink-soft">In the shop</p>
      <div inert className={`max-w-60 ${values.isVisible ? '' : 'opacity-50 grayscale'}`}>
        <ProductCard product={product} imageIndex={lifestyleImageIndex(product)} sizes="240px" level={3} />
      </div>
      {!values.isVisible && <p className="mt-2 text-sm font-semibold text-ink-soft">Hidden: shoppers do not see it.</p>}
    </section>
  );
}

function previewOf(values: ProductValues, editing: Product | null): Product {
  const images = values.images.map((each) => each.trim()).filter(Boolean);
  const known = (file: string) => editing?.image_details.find((detail) => detail.file === file);
  const count = (name: Count) => countAfter(parseCount(values[name]) ?? { change: 0 }, editing?.[name] ?? 0);
  return {
    ...values,
    heat: values.heat || null,
    _id: editing?._id ?? 'new',
    product_name: values.product_name || 'Name of the product',
    mrp: values.mrp.filter(Boolean).map(Number),
    net_wt: values.net_wt.filter(({ value }) => value).map(({ value, unit }) => ({ value: Number(value), unit })),
    images,
    image_details: images.map((file) => known(file) ?? { file, alt: '', width: 0, height: 0, colour: '', version: '' }),
    stock: count('stock'),
    packaging_50gms: count('packaging_50gms'),
    packaging_100gms: count('packaging_100gms'),
    gst_rate_percent: 0,
    trendingRank: null,
    updatedAt: '',
    version: 0,
    rating: editing?.rating ?? null,
  };
}
