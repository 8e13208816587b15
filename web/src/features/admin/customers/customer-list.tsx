// The customers of one page: a table, or cards where the screen is narrow.
import type { KeyboardEvent } from 'react';
import type { Customer } from '~/api/types';
import { formatPhone } from '~/lib/form/validation';
import { formatAmount, formatDate, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { Table } from '~/ui/table';
import { moveBetweenRows } from '../console/keyboard';
import { customerPath } from '../console/url-state';

const COLUMNS = ['Name', 'Email', 'Phone', 'Orders', 'Spent', 'Last order'];

/** An account without a name has an email address. */
const nameOf = ({ name, email }: Customer) => name || email;

export function CustomersTable({ customers }: { customers: Customer[] }) {
  // Enter follows the link in the row.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter') return moveBetweenRows(event);
    if (event.target instanceof HTMLElement && event.target.matches('[data-row]'))
      event.target.querySelector('a')?.click();
  };
  return (
    <Table caption="List of customers" head={COLUMNS} onKeyDown={onKeyDown}>
      {customers.map((customer, at) => (
        <tr key={customer._id} data-row tabIndex={at === 0 ? 0 : -1}>
          <th scope="row" className="font-semibold [overflow-wrap:anywhere]">
            <Link className="link" to={customerPath(customer._id)}>
              {nameOf(customer)}
            </Link>
          </th>
          <td className="text-ink-soft [overflow-wrap:anywhere]">{customer.email}</td>
          <td className="whitespace-nowrap tabular-nums">{customer.phone ? formatPhone(customer.phone) : '–'}</td>
          <td className="text-right tabular-nums">{customer.orders}</td>
          <td className="text-right font-semibold tabular-nums">{formatAmount(customer.spentAmount)}</td>
          <td className="whitespace-nowrap text-ink-soft tabular-nums">
            {customer.lastOrderAt ? formatDate(customer.lastOrderAt) : 'None'}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function CustomerCard({ customer }: { customer: Customer }) {
  const { _id, email, phone, orders, spentAmount, lastOrderAt } = customer;
  return (
    <article className="relative rounded-lg border border-line bg-surface p-4 shadow-card transition hover:bg-paper-deep">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="min-w-0 font-sans text-lg font-bold [overflow-wrap:anywhere]">
          {/* The whole card is the link. */}
          <Link to={customerPath(_id)} className="after:absolute after:inset-0 after:rounded-lg">
            {nameOf(customer)}
          </Link>
        </h2>
        <p className="font-bold tabular-nums">{formatAmount(spentAmount)}</p>
      </div>
      <p className="text-ink-soft [overflow-wrap:anywhere]">{email}</p>
      {phone && <p className="text-ink-soft tabular-nums">{formatPhone(phone)}</p>}
      <p className="mt-1.5 text-sm tabular-nums">
        {plural(orders, 'order')}
        {lastOrderAt && `, the last on ${formatDate(lastOrderAt)}`}
      </p>
    </article>
  );
}
