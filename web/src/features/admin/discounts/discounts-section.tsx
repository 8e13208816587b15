// The discounts section: codes with their rules, their uses, and what they brought and cost.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Discount } from '~/api/types';
import { formatAmount, formatNumber, plural } from '~/lib/format';
import { Button } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { DiscountDialog } from './discount-form';
import { DiscountList } from './discount-list';
import { discountsQuery } from './discount-queries';

/** `new`: a code is being added. */
type Edited = Discount | 'new' | null;

export function DiscountsSection() {
  const { data: discounts, error, isPending, refetch } = useQuery(discountsQuery);
  const [edited, setEdited] = useState<Edited>(null);
  return (
    <AdminSection
      title="Discounts"
      count={discounts && plural(discounts.length, 'code')}
      actions={
        <Button className="ml-auto max-sm:w-full" onClick={() => setEdited('new')}>
          <Icon name="plus" className="size-5" />
          New code
        </Button>
      }
    >
      <div className="mt-5">
        {isPending ? (
          <SectionLoading text="Loading discounts..." />
        ) : !discounts ? (
          <ErrorState message={errorMessage(error, 'Failed to fetch discounts')} onRetry={() => void refetch()} />
        ) : discounts.length === 0 ? (
          <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
            <p role="status" className="text-lg">
              No discount codes yet.
            </p>
            <p className="mt-1 text-ink-soft">
              A code takes a per cent or an amount off an order. One order can use one code.
            </p>
          </div>
        ) : (
          <>
            <Totals discounts={discounts} />
            <DiscountList discounts={discounts} onEdit={setEdited} />
          </>
        )}
      </div>
      <DiscountDialog
        open={edited !== null}
        discount={edited === 'new' || edited === null ? undefined : edited}
        onClose={() => setEdited(null)}
      />
    </AdminSection>
  );
}

function Totals({ discounts }: { discounts: Discount[] }) {
  const sum = (amount: (discount: Discount) => number) =>
    discounts.reduce((total, discount) => total + Math.round(amount(discount) * 100), 0) / 100;
  const parts: [name: string, text: string, hint: string][] = [
    ['Uses', formatNumber(discounts.reduce((total, { uses }) => total + uses, 0)), 'paid or waiting for payment'],
    ['Turnover', formatAmount(sum(({ turnover }) => turnover)), 'paid with a code, less refunds'],
    ['Cost', formatAmount(sum(({ cost }) => cost)), 'what the codes took off'],
  ];
  return (
    <dl
      aria-label="All codes together"
      className="mb-5 grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-5 py-4 shadow-card sm:grid-cols-3"
    >
      {parts.map(([name, text, hint]) => (
        <div key={name} className="max-sm:last:col-span-2">
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="text-xl tabular-nums">
            {text}
            <span className="block text-sm text-ink-soft">{hint}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
