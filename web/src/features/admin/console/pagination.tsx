// Previous, 'Page X of Y', Next.
import { Button } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';

type Props = { label: string; page: number; pages: number; onPage: (page: number) => void };

export function Pagination({ label, page, pages, onPage }: Props) {
  return (
    <nav aria-label={label} className="mt-5 flex items-center justify-center gap-4">
      <Button variant="ghost" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="left" className="size-4" />
        Previous
      </Button>
      <p aria-live="polite" className="text-ink-soft tabular-nums">
        Page {page} of {pages}
      </p>
      <Button variant="ghost" size="sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
        <Icon name="right" className="size-4" />
      </Button>
    </nav>
  );
}
