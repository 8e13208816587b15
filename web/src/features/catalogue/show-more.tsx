// The button at the end of a paged list.
import { Button } from '~/ui/button';
import type { useProductList } from './use-product-list';

export function ShowMore({ more }: Pick<ReturnType<typeof useProductList>, 'more'>) {
  if (!more) return null;
  return (
    <div className="mt-10 text-center">
      <Button variant="secondary" busy={more.busy} onClick={more.show}>
        Show more
      </Button>
    </div>
  );
}
