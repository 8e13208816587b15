// Selects all orders of the page, and then all that the filter finds, up to as many as can be packed at once.
import { plural } from '~/lib/format';
import { Button } from '~/ui/button';

/** As MAX_PACKED of the server (crates/app/src/orders/packing.rs). */
export const MAX_SELECTED = 200;

type Props = { shown: number; total: number; selected: number; busy: boolean; onSelectAll: () => void };

/** Once all orders that are shown are selected, and there are more. */
export function SelectMatching({ shown, total, selected, busy, onSelectAll }: Props) {
  const most = Math.min(total, MAX_SELECTED);
  if (total <= shown || selected < shown) return null;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 rounded-md bg-turmeric-wash px-4 py-1.5">
      {selected >= most ? (
        <span role="status">
          {total > most ? `The newest ${most} of ${total} orders are selected.` : `All ${total} orders are selected.`}
        </span>
      ) : (
        <>
          <span>{plural(selected, 'order')} of this page selected.</span>
          <Button variant="ghost" size="sm" busy={busy} onClick={onSelectAll}>
            {total > most ? `Select the newest ${most} of ${total}` : `Select all ${total} that match`}
          </Button>
        </>
      )}
    </p>
  );
}
