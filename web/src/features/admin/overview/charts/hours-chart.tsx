// Orders by the hours of the week.
import type { Overview } from '~/api/types';
import { formatAmount, formatNumber } from '~/lib/format';
import { useNavigate } from '~/lib/router/router';
import type { OrdersPath } from '../orders-path';
import { countOf, HOURS, hourName, WEEKDAYS, weekdayName } from '../words';
import { ChartPanel } from './chart-panel';
import { shadeOf } from './shades';

export function HoursChart({ overview, ordersPath }: { overview: Overview; ordersPath: OrdersPath }) {
  const { hours, from, to } = overview;
  const navigate = useNavigate();
  const find = (weekday: number, hour: number) => hours.find((each) => each.weekday === weekday && each.hour === hour);
  const max = Math.max(0, ...hours.map(({ orders }) => orders));
  const path = (weekday: number, hour: number) => ordersPath({ weekday: String(weekday), hour: String(hour) });
  const best = hours.reduce<(typeof hours)[number] | undefined>(
    (most, each) => (each.orders > (most?.orders ?? 0) ? each : most),
    undefined,
  );
  return (
    <ChartPanel
      title="Hours of the week"
      hint={
        best
          ? `Most orders: ${weekdayName(best.weekday)}, ${hourName(best.hour)} to ${hourName((best.hour + 1) % 24)} IST`
          : 'When orders are placed, in IST'
      }
      file={`hours_${from}_${to}`}
      columns={['Hour', 'Orders', 'Net sales']}
      rows={hours.map(({ weekday, hour, orders, netSales }) => ({
        key: `${weekday}-${hour}`,
        cells: [`${weekdayName(weekday)} ${hourName(hour)}`, orders, netSales],
        texts: [`${weekdayName(weekday)} ${hourName(hour)}`, formatNumber(orders), formatAmount(netSales)],
        to: path(weekday, hour),
      }))}
      emptyText={hours.length === 0 ? 'No orders in these days.' : undefined}
    >
      <div
        aria-hidden="true"
        className="grid grid-cols-[2.25rem_repeat(24,minmax(0,1fr))] gap-0.5 text-xs text-ink-soft"
      >
        {WEEKDAYS.map((name, at) => (
          <div key={name} className="contents">
            <span className="self-center">{name.slice(0, 3)}</span>
            {HOURS.map((hour) => {
              const cell = find(at + 1, hour);
              const label = `${name} ${hourName(hour)}: ${countOf(cell?.orders ?? 0, 'order')}`;
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the table has the same links for the keyboard
                <span
                  key={hour}
                  title={label}
                  className={`h-7 rounded-[3px] ${cell ? 'cursor-pointer hover:outline-2 hover:outline-ink' : ''}`}
                  style={{ backgroundColor: shadeOf(cell?.orders ?? 0, max).fill }}
                  onClick={cell && (() => void navigate(path(at + 1, hour)))}
                />
              );
            })}
          </div>
        ))}
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className="overflow-visible whitespace-nowrap">
            {hour % 6 === 0 ? hourName(hour) : ''}
          </span>
        ))}
      </div>
    </ChartPanel>
  );
}
