// A page of a list in the admin area, in all its states: loading, failed, empty, and while the next page is loading.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { errorMessage } from '~/api/error';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { SectionLoading } from './admin-section';
import { Pagination } from './pagination';

type Props<Item> = {
  /** In the plural, such as "problems". */
  noun: string;
  list: UseQueryResult<{ pages: number }>;
  items: Item[];
  page: number;
  /** Shown if there are no items. */
  empty: ReactNode;
  onPage: (page: number, how?: { replace?: boolean }) => void;
  children: (item: Item) => ReactNode;
  /** Shows all items of the page instead of the list. */
  table?: ((items: Item[]) => ReactNode) | undefined;
};

export function PagedList<Item extends { _id: string }>(props: Props<Item>) {
  const { noun, list, items, page, empty, onPage, children, table } = props;
  const pages = Math.max(1, list.data?.pages ?? 1);

  // The last item of the last page has left the list, or the URL names a page that does not exist.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && page > pages;
  const goToLast = useEffectEvent(() => onPage(pages, { replace: true }));
  useEffect(() => {
    if (isBeyond) goToLast();
  }, [isBeyond]);

  if (list.isPending) return <SectionLoading text={`Loading ${noun}...`} />;
  const failure = list.isError ? errorMessage(list.error, `Failed to fetch ${noun}`) : '';
  if (failure && !list.data) return <ErrorState message={failure} onRetry={() => void list.refetch()} />;
  if (items.length === 0) return empty;
  return (
    <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition' : ''}>
      {failure && <Alert className="mb-3">{failure}</Alert>}
      {table ? (
        table(items)
      ) : (
        <ul aria-label={`List of ${noun}`} className="grid gap-4">
          {items.map((item) => (
            <li key={item._id}>{children(item)}</li>
          ))}
        </ul>
      )}
      <Pagination
        label={`Pages of ${noun}`}
        page={Math.min(page, pages)}
        pages={pages}
        onPage={(next) => onPage(next)}
      />
    </div>
  );
}

type EmptyProps = { text: string; action?: ReactNode };

/** What is shown instead of a list without items. */
export function EmptyList({ text, action }: EmptyProps) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        {text}
      </p>
      {action}
    </div>
  );
}
