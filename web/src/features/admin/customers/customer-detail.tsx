// One customer: contact, sums, addresses, orders, messages, problems, reviews.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/error';
import type { CustomerDetails } from '~/api/types';
import { formatPhone } from '~/lib/form/validation';
import { formatAmount, formatDate, formatDateTimeIst } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { PostalAddress } from '~/shared/address/postal-address';
import { Badge } from '~/ui/badge';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/icons';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { CustomerOrders, CustomerPart, MessageLinks, ProblemLinks } from '../console/customer-parts';
import { customerQuery } from '../console/customer-query';
import { adminPath } from '../console/url-state';

export function CustomerDetail({ id }: { id: string }) {
  const { data, isPending, error, refetch } = useQuery(customerQuery(id));
  const title = data ? titleOf(data) : 'Customer';
  return (
    <>
      <Link
        to={adminPath('customers')}
        className="-ml-2 mb-2 inline-flex min-h-11 items-center gap-1.5 rounded-md px-2 font-semibold text-ink-soft transition hover:bg-paper-deep hover:text-ink"
      >
        <Icon name="left" className="size-4" />
        All customers
      </Link>
      <AdminSection title={title}>
        {isPending ? (
          <SectionLoading text="Loading customer..." />
        ) : data ? (
          <Details found={data} />
        ) : (
          <ErrorState message={errorMessage(error, 'Failed to fetch the customer')} onRetry={() => void refetch()} />
        )}
      </AdminSection>
    </>
  );
}

const titleOf = ({ customer }: CustomerDetails) =>
  customer.deletedAt ? 'Deleted account' : customer.name || customer.email;

function Details({ found }: { found: CustomerDetails }) {
  const { customer, addresses, orders, messages, problems, reviews } = found;
  const isDeleted = customer.deletedAt !== null;
  return (
    <div className="mt-4 grid grid-cols-1 items-start gap-5 xl:grid-cols-[3fr_2fr]">
      <div className="grid gap-5">
        <Contact found={found} />
        <CustomerPart title="Orders" count={orders.length} empty="No orders yet.">
          <CustomerOrders orders={orders} />
        </CustomerPart>
        <CustomerPart title="Problems" count={problems.length} empty="No problem was reported.">
          <ProblemLinks problems={problems} />
        </CustomerPart>
      </div>
      {!isDeleted && (
        <div className="grid gap-5">
          <CustomerPart title="Addresses" count={addresses.length} empty="No address is saved.">
            <ul className="grid gap-4 sm:grid-cols-2">
              {addresses.map((address) => (
                <li key={address._id} className="[overflow-wrap:anywhere]">
                  <p className="flex flex-wrap items-center gap-2 text-sm font-semibold text-ink-soft">
                    {address.addressName}
                    {address.isDefault && <Badge>Default</Badge>}
                  </p>
                  <PostalAddress address={address} />
                </li>
              ))}
            </ul>
          </CustomerPart>
          <CustomerPart title="Messages" count={messages.length} empty="No message was sent from this email address.">
            <MessageLinks messages={messages} />
          </CustomerPart>
          <CustomerPart title="Reviews" count={reviews.length} empty="No review was written.">
            <ul className="divide-y divide-line">
              {reviews.map((review) => (
                <li key={review._id} className="py-2.5 first:pt-0 last:pb-0">
                  <p className="flex flex-wrap items-center gap-x-3">
                    <span className="font-semibold">{review.productName}</span>
                    <span className="text-ink-soft">{review.stars} of 5 stars</span>
                    {review.hiddenAt && <Badge tone="red">Hidden</Badge>}
                  </p>
                  <p className="[overflow-wrap:anywhere]">{review.text}</p>
                  <p className="text-sm text-ink-soft tabular-nums">{formatDate(review.createdAt)}</p>
                </li>
              ))}
            </ul>
          </CustomerPart>
        </div>
      )}
    </div>
  );
}

function Contact({ found: { customer } }: { found: CustomerDetails }) {
  const figures = [
    ['Orders', String(customer.orders)],
    ['Spent', formatAmount(customer.spentAmount)],
    ['Last order', customer.lastOrderAt ? formatDate(customer.lastOrderAt) : 'None'],
  ];
  return (
    <section aria-label="Contact" className="rounded-lg border border-line bg-surface p-5 shadow-card">
      {customer.deletedAt ? (
        <p>
          The account was deleted on {formatDateTimeIst(customer.deletedAt)}. Its orders stay, for the shop's accounts.
        </p>
      ) : (
        <p className="flex flex-wrap gap-x-6 gap-y-1">
          <a className="link [overflow-wrap:anywhere]" href={`mailto:${customer.email}`}>
            {customer.email}
          </a>
          {customer.phone && (
            <a className="link tabular-nums" href={`tel:${customer.phone}`}>
              {formatPhone(customer.phone)}
            </a>
          )}
          <span className="text-ink-soft">Customer since {formatDate(customer.createdAt)}</span>
        </p>
      )}
      <dl className="mt-4 grid grid-cols-3 gap-4">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="text-lg font-bold tabular-nums sm:text-xl">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
