// Net sales as bars, with those before as a line: by day, or by hour where there is one day.
import { scaleBand, scaleLinear } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';
import { useEffect, useRef, useState } from 'react';
import type { Overview } from '~/api/types';
import { formatAmount, formatDay, formatNumber } from '~/lib/format';
import { useNavigate } from '~/lib/router/router';
import type { OrdersPath } from '../orders-path';
import { countOf, HOURS, hourName, shortRupees } from '../words';
import { ChartPanel } from './chart-panel';

const HEIGHT = 260;
const MARGIN = { top: 12, right: 4, bottom: 26, left: 52 };
/** Room for one date below the bars. */
const LABEL_WIDTH = 84;

/** One bar: a day, or an hour of the only day. */
type Point = {
  key: string;
  label: string;
  /** Below the bar. */
  axis: string;
  netSales: number;
  orders: number;
  /** As many days, or one day, before. */
  before: number;
  to: string;
};

type Props = { overview: Overview; ordersPath: OrdersPath };

export function SalesChart({ overview, ordersPath }: Props) {
  const { days, previousDays, from, to } = overview;
  const isEmpty = [...days, ...previousDays].every(({ orders }) => orders === 0);
  const panel = {
    file: `sales_${from}_${to}`,
    emptyText: isEmpty ? 'No sales in these days, nor in those before.' : undefined,
  };
  if (from === to) {
    const points = pointsOfHours(overview, ordersPath);
    return (
      <ChartPanel
        {...panel}
        title="Net sales by hour"
        hint="Bars: the hours of this day, in IST. Line: the whole day before."
        columns={['Hour', 'Net sales', 'Orders', 'Net sales the day before']}
        rows={points.map(({ key, label, netSales, orders, before, to: path }) => ({
          key,
          cells: [label, netSales, orders, before],
          texts: [label, formatAmount(netSales), formatNumber(orders), formatAmount(before)],
          to: orders > 0 ? path : undefined,
        }))}
      >
        <Bars points={points} />
      </ChartPanel>
    );
  }
  const points = pointsOfDays(overview, ordersPath);
  return (
    <ChartPanel
      {...panel}
      title="Net sales by day"
      hint="Bars: these days. Line: as many days before."
      columns={['Day', 'Net sales', 'Orders', 'Packs', 'Net sales before']}
      rows={days.map(({ day, netSales, orders, packs }, at) => {
        const before = previousDays[at]?.netSales ?? 0;
        return {
          key: day,
          cells: [day, netSales, orders, packs, before],
          texts: [
            formatDay(day),
            formatAmount(netSales),
            formatNumber(orders),
            formatNumber(packs),
            formatAmount(before),
          ],
          to: points[at]?.to,
        };
      })}
    >
      <Bars points={points} />
    </ChartPanel>
  );
}

const pointsOfDays = ({ days, previousDays }: Overview, ordersPath: OrdersPath): Point[] =>
  days.map(({ day, netSales, orders }, at) => ({
    key: day,
    label: formatDay(day),
    axis: formatDay(day).slice(4),
    netSales,
    orders,
    before: previousDays[at]?.netSales ?? 0,
    to: ordersPath({ from: day, to: day }),
  }));

function pointsOfHours({ hours, previousHours }: Overview, ordersPath: OrdersPath): Point[] {
  return HOURS.map((hour) => {
    const found = hours.find((each) => each.hour === hour);
    return {
      key: String(hour),
      label: `${hourName(hour)} to ${hourName((hour + 1) % 24)}`,
      axis: hourName(hour),
      netSales: found?.netSales ?? 0,
      orders: found?.orders ?? 0,
      before: previousHours.find((each) => each.hour === hour)?.netSales ?? 0,
      to: ordersPath({ hour: String(hour) }),
    };
  });
}

function Bars({ points }: { points: Point[] }) {
  const [box, width] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const navigate = useNavigate();
  const max = Math.max(1, ...points.flatMap(({ netSales, before }) => [netSales, before]));
  const x = scaleBand<number>()
    .domain(points.map((_, at) => at))
    .range([MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)])
    .paddingInner(points.length > 45 ? 0.15 : 0.3)
    .paddingOuter(0.1);
  const y = scaleLinear()
    .domain([0, max])
    .nice(4)
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const middle = (at: number) => (x(at) ?? 0) + x.bandwidth() / 2;
  const lineBefore = line<Point>()
    .x((_, at) => middle(at))
    .y(({ before }) => y(before))
    .curve(curveMonotoneX)(points);
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, Math.floor((width - MARGIN.left) / LABEL_WIDTH))));
  const marked = shown === null ? undefined : points[shown];
  return (
    <div ref={box}>
      <p aria-hidden="true" className="min-h-6 text-sm text-ink-soft tabular-nums">
        {marked && (
          <>
            <strong className="text-ink">{marked.label}</strong>: {formatAmount(marked.netSales)},{' '}
            {countOf(marked.orders, 'order')} (before: {formatAmount(marked.before)})
          </>
        )}
      </p>
      {width > 0 && (
        <svg
          aria-hidden="true"
          width={width}
          height={HEIGHT}
          className="block overflow-visible"
          onPointerLeave={() => setShown(null)}
        >
          {y.ticks(4).map((tick) => (
            <g key={tick} transform={`translate(0 ${y(tick)})`}>
              <line x1={MARGIN.left} x2={width - MARGIN.right} stroke="var(--line)" />
              <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" fontSize="12" fill="var(--ink-soft)">
                {shortRupees(tick)}
              </text>
            </g>
          ))}
          {points.map(({ key, axis, netSales }, at) => (
            <g key={key}>
              <rect
                x={x(at)}
                y={y(netSales)}
                width={x.bandwidth()}
                height={Math.max(0, y(0) - y(netSales))}
                rx={Math.min(4, x.bandwidth() / 3)}
                fill={at === shown ? 'var(--chilli-deep)' : 'var(--chilli-fill)'}
              />
              {at % every === 0 && (
                <text
                  x={middle(at)}
                  y={HEIGHT - 8}
                  textAnchor={at === 0 && points.length > 7 ? 'start' : 'middle'}
                  fontSize="12"
                  fill="var(--ink-soft)"
                >
                  {axis}
                </text>
              )}
            </g>
          ))}
          <path d={lineBefore ?? ''} fill="none" stroke="var(--ink)" strokeWidth="1.75" strokeDasharray="5 4" />
          {points.map(({ key, to }, at) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same links for the keyboard
            <rect
              key={key}
              x={(x(at) ?? 0) - (x.step() - x.bandwidth()) / 2}
              y={0}
              width={x.step()}
              height={HEIGHT}
              fill="transparent"
              className="cursor-pointer"
              onPointerEnter={() => setShown(at)}
              onClick={() => void navigate(to)}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

/** The width of an element, also when it changes. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
