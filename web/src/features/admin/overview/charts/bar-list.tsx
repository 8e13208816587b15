// A list of names with bars: categories, products, and the steps from visit to payment.
import { Link } from '~/lib/router/router';

export type Bar = { key: string; name: string; value: number; text: string; detail?: string; to?: string };

export function BarList({ label, bars, max }: { label: string; bars: Bar[]; max: number }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-1">
      {bars.map(({ key, name, value, text, detail, to }) => {
        const row = (
          <>
            <span className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate font-semibold">{name}</span>
              <span className="shrink-0 tabular-nums">
                {text}
                {detail && <span className="text-ink-soft"> {detail}</span>}
              </span>
            </span>
            <span aria-hidden="true" className="mt-1 block h-2 rounded-full bg-paper-deep">
              <span
                className="block h-2 rounded-full bg-chilli-fill"
                style={{ width: `${max > 0 ? Math.max(value > 0 ? 1 : 0, (value / max) * 100) : 0}%` }}
              />
            </span>
          </>
        );
        return (
          <li key={key}>
            {to ? (
              <Link to={to} className="-mx-2 block rounded-md px-2 py-1.5 transition hover:bg-paper-deep">
                {row}
              </Link>
            ) : (
              <div className="py-1.5">{row}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
