// The customers section: search, the list with what each has ordered and spent, and the customer that the URL names.
import { useQuery } from '@tanstack/react-query';
import { plural } from '~/lib/format';
import { parseQuery } from '~/lib/router/query-string';
import { useUrlText } from '~/lib/router/url-text';
import { Button } from '~/ui/button';
import { Field, Select } from '~/ui/forms/field';
import { AdminSection } from '../console/admin-section';
import { EmptyList, PagedList } from '../console/paged-list';
import { useIsTablet } from '../console/screen-width';
import { useAdminUrl } from '../console/url-state';
import { CustomerDetail } from './customer-detail';
import { CustomerCard, CustomersTable } from './customer-list';
import { type CustomersView, customersQuery, customersUrl, SORT_LABELS } from './customer-queries';

export function CustomersSection() {
  const { query } = useAdminUrl();
  const view = customersUrl.read(query);
  return view.customer ? <CustomerDetail key={view.customer} id={view.customer} /> : <CustomerList view={view} />;
}

/** From the browser's current URL: React may not have rendered the latest change yet. */
const viewNow = () => customersUrl.read(parseQuery(window.location.search));

function CustomerList({ view }: { view: CustomersView }) {
  const { go } = useAdminUrl();
  const list = useQuery(customersQuery(view));
  const narrow = (part: Partial<CustomersView>) =>
    go(customersUrl.write({ ...viewNow(), page: 1, ...part }), { replace: true });
  const search = useUrlText(
    view.search,
    () => viewNow().search,
    (text) => narrow({ search: text }),
  );
  const isTablet = useIsTablet();
  return (
    <AdminSection title="Customers" count={list.data && plural(list.data.total, 'customer')}>
      <search aria-label="Find customers" className="mt-5 grid gap-3 sm:grid-cols-[minmax(0,24rem)_12rem]">
        <Field
          label="Name, email or phone"
          placeholder="Any part of it"
          autoComplete="off"
          spellCheck={false}
          {...search}
        />
        <Select
          label="Sort by"
          value={view.sort}
          onChange={(event) => narrow({ sort: event.target.value as CustomersView['sort'] })}
        >
          {Object.entries(SORT_LABELS).map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </Select>
      </search>
      <div className="mt-5">
        <PagedList
          noun="customers"
          list={list}
          items={list.data?.customers ?? []}
          page={view.page}
          empty={
            <EmptyList
              text={view.search ? 'No customer matches.' : 'No customers yet.'}
              action={
                view.search && (
                  <Button variant="ghost" className="mt-3" onClick={() => narrow({ search: '' })}>
                    Show all customers
                  </Button>
                )
              }
            />
          }
          table={isTablet ? undefined : (customers) => <CustomersTable customers={customers} />}
          onPage={(page, how) => go(customersUrl.write({ ...viewNow(), page }), how)}
        >
          {(customer) => <CustomerCard customer={customer} />}
        </PagedList>
      </div>
    </AdminSection>
  );
}
