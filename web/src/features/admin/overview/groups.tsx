// Sales by product and category, and the way from visit to payment.
import type { Overview, ProductSales } from '~/api/types';
import { formatAmount, formatNumber } from '~/lib/format';
import { BarList } from './charts/bar-list';
import { ChartPanel } from './charts/chart-panel';
import type { OrdersPath } from './orders-path';
import { countOf } from './words';

/** Categories in the chart; the table has all. */
const CHARTED_CATEGORIES = 10;

type Props = { overview: Overview; ordersPath: OrdersPath };

export function BestProducts({ overview, ordersPath }: Props) {
  return (
    <Products
      title="Best products"
      file="best_products"
      products={overview.bestProducts}
      {...{ overview, ordersPath }}
    />
  );
}

export function WorstProducts({ overview, ordersPath }: Props) {
  return (
    <Products
      title="Slowest products"
      file="slowest_products"
      products={overview.worstProducts}
      {...{ overview, ordersPath }}
    />
  );
}

function Products({
  title,
  file,
  products,
  overview,
  ordersPath,
}: Props & { title: string; file: string; products: ProductSales[] }) {
  const { from, to } = overview;
  const max = Math.max(0, ...overview.bestProducts.map(({ sales }) => sales));
  const packs = ({ packs50g, packs100g }: ProductSales) => packs50g + packs100g;
  const path = (product: ProductSales) =>
    product.orders > 0 ? ordersPath({ productId: product.productId }) : undefined;
  return (
    <ChartPanel
      title={title}
      hint={title === 'Best products' ? 'Sales before refunds' : 'Products on sale with the least sales'}
      file={`${file}_${from}_${to}`}
      columns={['Product', '50 g packs', '100 g packs', 'Orders', 'Sales']}
      rows={products.map((product) => ({
        key: product.productId,
        cells: [product.name, product.packs50g, product.packs100g, product.orders, product.sales],
        texts: [
          product.name,
          formatNumber(product.packs50g),
          formatNumber(product.packs100g),
          formatNumber(product.orders),
          formatAmount(product.sales),
        ],
        to: path(product),
      }))}
      emptyText={products.length === 0 ? 'No products in these days.' : undefined}
    >
      <BarList
        label={title}
        max={max}
        bars={products.map((product) => ({
          key: product.productId,
          name: product.name,
          value: product.sales,
          text: formatAmount(product.sales),
          detail: `· ${countOf(packs(product), 'pack')}`,
          to: path(product),
        }))}
      />
    </ChartPanel>
  );
}

export function Categories({ overview, ordersPath }: Props) {
  const { categories, from, to } = overview;
  return (
    <ChartPanel
      title="By category"
      hint={`A product counts in each of its categories${categories.length > CHARTED_CATEGORIES ? `. The table has all ${categories.length}.` : ''}`}
      file={`categories_${from}_${to}`}
      columns={['Category', 'Packs', 'Sales']}
      rows={categories.map(({ category, packs, sales }) => ({
        key: category,
        cells: [category, packs, sales],
        texts: [category, formatNumber(packs), formatAmount(sales)],
        to: ordersPath({ category }),
      }))}
      emptyText={categories.length === 0 ? 'No orders in these days.' : undefined}
    >
      <BarList
        label="Categories"
        max={Math.max(0, ...categories.map(({ sales }) => sales))}
        bars={categories.slice(0, CHARTED_CATEGORIES).map(({ category, packs, sales }) => ({
          key: category,
          name: category,
          value: sales,
          text: formatAmount(sales),
          detail: `· ${countOf(packs, 'pack')}`,
          to: ordersPath({ category }),
        }))}
      />
    </ChartPanel>
  );
}

export function VisitFunnel({ overview, ordersPath }: Props) {
  const { funnel, from, to } = overview;
  const steps: { key: string; name: string; value: number; to?: string }[] = [
    { key: 'visits', name: 'Visits', value: funnel.visits },
    { key: 'products', name: 'Products opened', value: funnel.products },
    { key: 'carts', name: 'Put into a cart', value: funnel.carts },
    { key: 'checkouts', name: 'Orders placed', value: funnel.checkouts, to: ordersPath({ only: '' }) },
    { key: 'payments', name: 'Orders paid', value: funnel.payments, to: ordersPath() },
  ];
  const share = (value: number) => (funnel.visits > 0 ? `${Number(((value / funnel.visits) * 100).toFixed(1))}%` : '');
  return (
    <ChartPanel
      title="From visit to payment"
      hint="Counted without cookies; crawlers are left out"
      file={`visits_${from}_${to}`}
      columns={['Step', 'Count', 'Of visits']}
      rows={steps.map(({ key, name, value, to: path }) => ({
        key,
        cells: [name, value, share(value)],
        texts: [name, formatNumber(value), share(value)],
        to: path,
      }))}
      emptyText={steps.every(({ value }) => value === 0) ? 'No visits in these days.' : undefined}
    >
      <BarList
        label="Steps"
        max={Math.max(...steps.map(({ value }) => value))}
        bars={steps.map((step) => ({
          ...step,
          text: formatNumber(step.value),
          detail: step.key === 'visits' || share(step.value) === '' ? undefined : `· ${share(step.value)}`,
        }))}
      />
    </ChartPanel>
  );
}
