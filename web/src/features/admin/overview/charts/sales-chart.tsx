// Net sales by day as bars, with the days before as a line.
import { scaleBand, scaleLinear } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';
import { useEffect, useRef, useState } from 'react';
import type { Overview } from '~/api/types';
import { formatAmount, formatDay, formatNumber } from '~/lib/format';
import { useNavigate } from '~/lib/router/router';
import type { OrdersPath } from '../orders-path';
import { countOf, shortRupees } from '../words';
import { ChartPanel } from './chart-panel';

const HEIGHT = 260;
const MARGIN = { top: 12, right: 4, bottom: 26, left: 52 };
/** Room for one date below the bars. */
const LABEL_WIDTH = 84;

export function SalesChart({ overview, ordersPath }: { overview: Overview; ordersPath: OrdersPath }) {
  const { days, previousDays, from, to } = overview;
  const rows = days.map(({ day, netSales, orders, packs }, at) => {
    const before = previousDays[at];
    return {
      key: day,
      cells: [day, netSales, orders, packs, before?.netSales ?? 0],
      texts: [
        formatDay(day),
        formatAmount(netSales),
        formatNumber(orders),
        formatNumber(packs),
        formatAmount(before?.netSales ?? 0),
      ],
      to: ordersPath({ from: day, to: day }),
    };
  });
  const isEmpty = days.every(({ orders }) => orders === 0) && previousDays.every(({ orders }) => orders === 0);
  return (
    <ChartPanel
      title="Net sales by day"
      hint={from === to ? 'Today and the day before' : 'Bars: these days. Line: as many days before.'}
      file={`sales_${from}_${to}`}
      columns={['Day', 'Net sales', 'Orders', 'Packs', 'Net sales before']}
      rows={rows}
      emptyText={isEmpty ? 'No sales in these days, nor in those before.' : undefined}
    >
      <Bars overview={overview} ordersPath={ordersPath} />
    </ChartPanel>
  );
}

function Bars({ overview: { days, previousDays }, ordersPath }: { overview: Overview; ordersPath: OrdersPath }) {
  const [box, width] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const navigate = useNavigate();
  const max = Math.max(1, ...days.map(({ netSales }) => netSales), ...previousDays.map(({ netSales }) => netSales));
  const x = scaleBand<number>()
    .domain(days.map((_, at) => at))
    .range([MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)])
    .paddingInner(days.length > 45 ? 0.15 : 0.3)
    .paddingOuter(0.1);
  const y = scaleLinear()
    .domain([0, max])
    .nice(4)
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const middle = (at: number) => (x(at) ?? 0) + x.bandwidth() / 2;
  const before = line<{ netSales: number }>()
    .x((_, at) => middle(at))
    .y(({ netSales }) => y(netSales))
    .curve(curveMonotoneX)(previousDays);
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor((width - MARGIN.left) / LABEL_WIDTH))));
  const marked = shown === null ? undefined : days[shown];
  return (
    <div ref={box}>
      <p aria-hidden="true" className="min-h-6 text-sm text-ink-soft tabular-nums">
        {marked && shown !== null && (
          <>
            <strong className="text-ink">{formatDay(marked.day)}</strong>: {formatAmount(marked.netSales)},{' '}
            {countOf(marked.orders, 'order')} (before: {formatAmount(previousDays[shown]?.netSales ?? 0)})
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
          {days.map(({ day, netSales }, at) => (
            <g key={day}>
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
                  textAnchor={at === 0 && days.length > 7 ? 'start' : 'middle'}
                  fontSize="12"
                  fill="var(--ink-soft)"
                >
                  {formatDay(day).slice(4)}
                </text>
              )}
            </g>
          ))}
          {days.length > 1 ? (
            <path d={before ?? ''} fill="none" stroke="var(--ink)" strokeWidth="1.75" strokeDasharray="5 4" />
          ) : (
            <line
              x1={x(0)}
              x2={(x(0) ?? 0) + x.bandwidth()}
              y1={y(previousDays[0]?.netSales ?? 0)}
              y2={y(previousDays[0]?.netSales ?? 0)}
              stroke="var(--ink)"
              strokeWidth="1.75"
              strokeDasharray="5 4"
            />
          )}
          {days.map(({ day }, at) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same links for the keyboard
            <rect
              key={day}
              x={(x(at) ?? 0) - (x.step() - x.bandwidth()) / 2}
              y={0}
              width={x.step()}
              height={HEIGHT}
              fill="transparent"
              className="cursor-pointer"
              onPointerEnter={() => setShown(at)}
              onClick={() => void navigate(ordersPath({ from: day, to: day }))}
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
