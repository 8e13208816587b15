// The discount codes: a table, or cards where the screen is too narrow for it.
import type { Discount } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { toast } from '~/ui/feedback/toast';
import { Table } from '~/ui/table';
import { useIsTablet } from '../console/screen-width';
import { discountInput, useSaveDiscount } from './discount-queries';
import { rules, stateOf, stateTones, usesText, validity, valueText } from './discount-words';

type Props = { discounts: Discount[]; onEdit: (discount: Discount) => void };
type EntryProps = { discount: Discount; onEdit: (discount: Discount) => void };

const right = (name: string) => (
  <span key={name} className="block text-right">
    {name}
  </span>
);
const head = [
  'Code',
  'Discount',
  'For',
  'Valid',
  right('Uses'),
  right('Turnover'),
  right('Cost'),
  <span key="actions" className="sr-only">
    Actions
  </span>,
];

export function DiscountList({ discounts, onEdit }: Props) {
  if (useIsTablet()) {
    return (
      <ul className="grid gap-4 md:grid-cols-2">
        {discounts.map((discount) => (
          <DiscountCard key={discount._id} discount={discount} onEdit={onEdit} />
        ))}
      </ul>
    );
  }
  return (
    <Table caption="Discount codes" head={head} dense>
      {discounts.map((discount) => (
        <DiscountRow key={discount._id} discount={discount} onEdit={onEdit} />
      ))}
    </Table>
  );
}

function DiscountRow({ discount, onEdit }: EntryProps) {
  return (
    <tr>
      <th
        scope="row"
        className="font-semibold max-xl:sticky max-xl:left-0 max-xl:z-[1] max-xl:bg-surface max-xl:shadow-[1px_0_0_var(--color-line)]"
      >
        <span className="block tracking-wide">{discount.code}</span>
        <StateBadge discount={discount} />
      </th>
      <td className="text-lg font-semibold whitespace-nowrap tabular-nums">{valueText(discount)}</td>
      <td className="min-w-36">
        {rules(discount).map((rule) => (
          <span key={rule} className="block">
            {rule}
          </span>
        ))}
      </td>
      <td className="min-w-36 text-sm text-ink-soft tabular-nums">{validity(discount)}</td>
      <td className="text-right tabular-nums">{usesText(discount)}</td>
      <td className="text-right whitespace-nowrap tabular-nums">{formatAmount(discount.turnover)}</td>
      <td className="text-right whitespace-nowrap tabular-nums">{formatAmount(discount.cost)}</td>
      <td>
        <Actions discount={discount} onEdit={onEdit} />
      </td>
    </tr>
  );
}

function DiscountCard({ discount, onEdit }: EntryProps) {
  const figures: [string, string][] = [
    ['Uses', usesText(discount)],
    ['Turnover', formatAmount(discount.turnover)],
    ['Cost', formatAmount(discount.cost)],
  ];
  return (
    <li className="flex flex-col rounded-lg border border-line bg-surface px-5 py-4 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-sans text-lg font-bold tracking-wide break-words">{discount.code}</h2>
        <StateBadge discount={discount} />
      </div>
      <p className="mt-1">
        <b className="tabular-nums">{valueText(discount)}</b>
        <span className="text-ink-soft"> · {rules(discount).join(' · ')}</span>
      </p>
      <p className="mt-1 text-sm text-ink-soft tabular-nums">{validity(discount)}</p>
      <dl className="mt-3 grid grid-cols-3 gap-3 border-t border-line pt-3">
        {figures.map(([name, text]) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="font-semibold tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-auto pt-2">
        <Actions discount={discount} onEdit={onEdit} />
      </div>
    </li>
  );
}

function StateBadge({ discount }: { discount: Discount }) {
  const state = stateOf(discount, Date.now());
  return <Badge tone={stateTones[state]}>{state[0]?.toUpperCase() + state.slice(1)}</Badge>;
}

function Actions({ discount, onEdit }: EntryProps) {
  const save = useSaveDiscount(discount._id);
  const toggle = () =>
    save.mutate(
      { ...discountInput(discount), active: !discount.active },
      { onError: (error) => toast.error(error.message) },
    );
  return (
    <div className="-mr-2 flex justify-end gap-1">
      <Button variant="ghost" size="sm" busy={save.isPending} onClick={toggle}>
        {discount.active ? 'Pause' : 'Resume'} <span className="sr-only">{discount.code}</span>
      </Button>
      <Button variant="ghost" size="sm" onClick={() => onEdit(discount)}>
        Edit <span className="sr-only">{discount.code}</span>
      </Button>
    </div>
  );
}
