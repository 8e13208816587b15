// Sales by state as a map of tiles: each state is one tile, about where it is. All states can be read and touched, small
// ones too.
import type { Overview } from '~/api/types';
import { formatAmount, formatNumber } from '~/lib/format';
import { Link } from '~/lib/router/router';
import type { OrdersPath } from '../orders-path';
import { countOf } from '../words';
import { ChartPanel } from './chart-panel';
import { SHADES, shadeOf } from './shades';
import { COLUMNS, STATE_TILES } from './state-tiles';

export function StateMap({ overview, ordersPath }: { overview: Overview; ordersPath: OrdersPath }) {
  const { states, from, to } = overview;
  const byName = new Map(states.map((each) => [each.state, each]));
  const max = Math.max(0, ...states.map(({ netSales }) => netSales));
  return (
    <ChartPanel
      title="By state"
      hint="Net sales by the state of the delivery address"
      file={`states_${from}_${to}`}
      columns={['State', 'Net sales', 'Orders']}
      rows={states.map(({ state, netSales, orders }) => ({
        key: state,
        cells: [state, netSales, orders],
        texts: [state || 'Unknown', formatAmount(netSales), formatNumber(orders)],
        to: state ? ordersPath({ state }) : undefined,
      }))}
      emptyText={states.length === 0 ? 'No orders in these days.' : undefined}
    >
      <ul
        aria-label="States of India"
        className="mx-auto grid max-w-lg gap-1"
        style={{ gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))` }}
      >
        {STATE_TILES.map(({ state, code, column, row }) => {
          const sales = byName.get(state);
          const { fill, text } = shadeOf(sales?.netSales ?? 0, max);
          const style = { backgroundColor: fill, color: text };
          const label = sales
            ? `${state}: ${formatAmount(sales.netSales)}, ${countOf(sales.orders, 'order')}`
            : `${state}: no orders`;
          const shape = 'flex aspect-square items-center justify-center rounded-sm text-xs font-semibold sm:text-sm';
          return (
            <li key={state} style={{ gridColumn: column, gridRow: row }}>
              {sales ? (
                <Link
                  to={ordersPath({ state })}
                  title={label}
                  style={style}
                  className={`${shape} transition hover:outline-2 hover:outline-ink`}
                >
                  {code}
                  <span className="sr-only">, {label}</span>
                </Link>
              ) : (
                <span title={label} style={style} className={shape}>
                  {code}
                  <span className="sr-only">, {label}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p aria-hidden="true" className="mt-3 flex items-center justify-center gap-1.5 text-sm text-ink-soft">
        less
        {SHADES.map(({ fill }) => (
          <span key={fill} className="size-4 rounded-sm" style={{ backgroundColor: fill }} />
        ))}
        more
      </p>
    </ChartPanel>
  );
}
