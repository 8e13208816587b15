// The figures of the overview, each with its change and a link to its orders.
import type { Overview, OverviewFigures } from '~/api/types';
import { formatAmount, formatNumber } from '~/lib/format';
import { Link } from '~/lib/router/router';
import type { OrdersPath } from './orders-path';
import { changeOf } from './words';

type Figure = {
  label: string;
  hint: string;
  value: (figures: OverviewFigures) => number;
  format: (value: number) => string;
  /** The filter of its orders. */
  only: string;
  /** Whether more of it is good news; undefined where it is neither. */
  moreIsGood?: boolean;
};

const count = (value: number) => formatNumber(value);

const FIGURES: Figure[] = [
  {
    label: 'Net sales',
    hint: 'paid, less refunds',
    value: (of) => of.netSales,
    format: formatAmount,
    only: 'sales',
    moreIsGood: true,
  },
  {
    label: 'Orders',
    hint: 'paid and not cancelled',
    value: (of) => of.orders,
    format: count,
    only: 'sales',
    moreIsGood: true,
  },
  {
    label: 'Average order',
    hint: 'before refunds',
    value: (of) => of.averageOrder,
    format: formatAmount,
    only: 'sales',
    moreIsGood: true,
  },
  {
    label: 'Packs sold',
    hint: '',
    value: (of) => of.packs50g + of.packs100g,
    format: count,
    only: 'sales',
    moreIsGood: true,
  },
  {
    label: 'Refunds',
    hint: 'of these orders',
    value: (of) => of.refunds,
    format: formatAmount,
    only: 'refunded',
    moreIsGood: false,
  },
  {
    label: 'Discounts',
    hint: 'taken off by codes',
    value: (of) => of.discounts,
    format: formatAmount,
    only: 'discounted',
  },
  {
    label: 'Repeat rate',
    hint: '',
    value: (of) => of.repeatRate,
    format: (value) => `${value}%`,
    only: 'repeat',
    moreIsGood: true,
  },
  {
    label: 'Late parcels',
    hint: 'after the expected day',
    value: (of) => of.lateParcels,
    format: count,
    only: 'late',
    moreIsGood: false,
  },
  {
    label: 'Returned parcels',
    hint: 'came back or come back',
    value: (of) => of.returnedParcels,
    format: count,
    only: 'returned',
    moreIsGood: false,
  },
];

export function Figures({ overview, ordersPath }: { overview: Overview; ordersPath: OrdersPath }) {
  const { current } = overview;
  const hints: Record<string, string> = {
    'Net sales': `${formatAmount(current.sales)} paid, ${formatAmount(current.refunds)} refunded`,
    'Packs sold': `${formatNumber(current.packs50g)} of 50 g, ${formatNumber(current.packs100g)} of 100 g`,
    'Repeat rate': `${formatNumber(current.repeatOrders)} orders of known customers`,
  };
  return (
    <ul aria-label="Figures" className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
      {FIGURES.map((figure, at) => (
        <li key={figure.label} className={at === 0 ? 'col-span-2 md:col-span-1 xl:row-span-2' : ''}>
          <FigureTile
            figure={figure}
            hint={hints[figure.label] ?? figure.hint}
            value={figure.value(current)}
            previous={figure.value(overview.previous)}
            to={ordersPath({ only: figure.only })}
            isFirst={at === 0}
          />
        </li>
      ))}
    </ul>
  );
}

type TileProps = { figure: Figure; hint: string; value: number; previous: number; to: string; isFirst: boolean };

function FigureTile({ figure, hint, value, previous, to, isFirst }: TileProps) {
  const { text, sign } = changeOf(value, previous);
  const isGood = sign !== 0 && figure.moreIsGood !== undefined && sign > 0 === figure.moreIsGood;
  const isBad = sign !== 0 && figure.moreIsGood !== undefined && !isGood;
  const tone = isGood
    ? 'bg-badge-green text-on-badge-green'
    : isBad
      ? 'bg-badge-red text-on-badge-red'
      : 'bg-paper-deep text-ink-soft';
  return (
    <Link
      to={to}
      className={`flex h-full flex-col rounded-lg border border-line px-4 py-3 shadow-card transition hover:border-line-strong hover:bg-raised ${isFirst ? 'justify-center bg-turmeric-wash' : 'bg-surface'}`}
    >
      <span className="text-sm font-semibold text-ink-soft">{figure.label}</span>
      <span className={`font-display tabular-nums ${isFirst ? 'text-4xl xl:py-2' : 'text-2xl'}`}>
        {figure.format(value)}
      </span>
      {hint && <span className="text-sm text-ink-soft">{hint}</span>}
      <span className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-1 pt-2 text-sm text-ink-soft">
        {text !== '' && (
          <span className={`rounded-full px-2 font-semibold tabular-nums ${tone}`}>
            {sign !== 0 && <span aria-hidden="true">{sign > 0 ? '▲ ' : '▼ '}</span>}
            {sign !== 0 && <span className="sr-only">{sign > 0 ? 'up ' : 'down '}</span>}
            {text}
          </span>
        )}
        <span>{previous === 0 && value !== 0 ? 'none before' : `was ${figure.format(previous)}`}</span>
      </span>
      <span className="sr-only">. Show the orders</span>
    </Link>
  );
}
