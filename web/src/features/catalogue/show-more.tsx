// At the end of a part of a long shelf.
import { Button } from '~/ui/button';
import type { useShelf } from './use-shelf';

export function ShowMore({ more }: Pick<ReturnType<typeof useShelf>, 'more'>) {
  if (!more) return null;
  return (
    <div className="mt-10 text-center">
      <Button look="secondary" busy={more.busy} onClick={more.show}>
        Show more
      </Button>
    </div>
  );
}
