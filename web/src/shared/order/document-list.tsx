// The invoice and the credit notes of an order, each a link to its file.
import type { Invoice } from '~/api/types';
import { formatAmount, formatDate } from '~/lib/format';
import { IconFrame } from '~/ui/graphics/icons';
import { documentTitles, documentUrl } from './documents';

type Props = { documents: Invoice[]; viewer: 'user' | 'admin' };

export function DocumentList({ documents, viewer }: Props) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-raised">
      {documents.map((document) => (
        <li key={document._id}>
          <a
            href={documentUrl(document, viewer)}
            target="_blank"
            rel="noopener"
            className="flex min-h-11 items-center gap-3 px-4 py-2.5 transition hover:bg-paper-deep"
          >
            <IconFrame className="size-6 shrink-0 text-chilli">
              <path d="M6 3.500h8l4 4v13H6zM14 3.500v4h4M12 11v5.500M9.500 14.200l2.500 2.300 2.500-2.300" />
            </IconFrame>
            <span className="min-w-0 grow">
              <span className="block font-semibold">{documentTitles[document.kind]}</span>
              <span className="flex flex-wrap gap-x-3 text-sm text-ink-soft tabular-nums">
                <span className="whitespace-nowrap">{document.number}</span>{' '}
                <span className="whitespace-nowrap">{formatDate(document.issuedAt)}</span>
              </span>
            </span>
            <span className="font-semibold whitespace-nowrap tabular-nums">
              {document.kind === 'credit note' && '−'}
              {formatAmount(document.total)}
            </span>
            <span className="sr-only">(PDF, opens in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
