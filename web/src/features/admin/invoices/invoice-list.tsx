// The documents of a month: a table, or a list of links where the screen is too narrow for it.
import type { Invoice } from '~/api/types';
import { formatAmount, formatDate } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { DocumentList } from '~/shared/order/document-list';
import { documentTitles, documentUrl } from '~/shared/order/documents';
import { shortId } from '~/shared/order/order-status';
import { Table } from '~/ui/table';
import { useIsTablet } from '../console/screen-width';
import { adminPath } from '../console/url-state';

const COLUMNS = ['Number', 'Date', 'Document', 'Order', 'Place of supply'];
const AMOUNTS = ['Taxable value', 'CGST', 'SGST', 'IGST', 'Total'];

const head = [
  ...COLUMNS,
  ...AMOUNTS.map((name) => (
    <span key={name} className="block text-right">
      {name}
    </span>
  )),
];

export function InvoiceList({ invoices }: { invoices: Invoice[] }) {
  if (useIsTablet()) return <DocumentList documents={invoices} viewer="admin" />;
  return (
    <Table caption="Invoices and credit notes" head={head} dense>
      {invoices.map((invoice) => (
        <InvoiceRow key={invoice._id} invoice={invoice} />
      ))}
    </Table>
  );
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const sign = invoice.kind === 'credit note' ? '−' : '';
  return (
    <tr>
      <th
        scope="row"
        className="font-semibold whitespace-nowrap max-xl:sticky max-xl:left-0 max-xl:z-[1] max-xl:bg-surface max-xl:shadow-[1px_0_0_var(--color-line)]"
      >
        <a className="link tabular-nums" href={documentUrl(invoice, 'admin')} target="_blank" rel="noopener">
          {invoice.number}
          <span className="sr-only">(PDF, opens in a new tab)</span>
        </a>
      </th>
      <td className="whitespace-nowrap tabular-nums">{formatDate(invoice.issuedAt)}</td>
      <td className="min-w-32">
        {documentTitles[invoice.kind]}
        {invoice.refersTo && (
          <span className="block text-sm whitespace-nowrap text-ink-soft tabular-nums">for {invoice.refersTo}</span>
        )}
      </td>
      <td className="tabular-nums">
        <Link className="link" to={adminPath('orders', { orderId: invoice.orderId })}>
          {shortId(invoice.orderId)}
        </Link>
      </td>
      <td className="min-w-36">{invoice.placeOfSupply}</td>
      {[invoice.taxable, invoice.cgst, invoice.sgst, invoice.igst, invoice.total].map((amount, at) => (
        <td key={AMOUNTS[at]} className={`text-right whitespace-nowrap tabular-nums ${at === 4 ? 'font-bold' : ''}`}>
          {amount === 0 ? <span className="text-ink-soft">–</span> : `${sign}${formatAmount(amount)}`}
        </td>
      ))}
    </tr>
  );
}
