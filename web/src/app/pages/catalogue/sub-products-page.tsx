// The product list. Its state is in the URL, so that it can be linked to and Back works.
import { startTransition, useOptimistic } from 'react';
import { ProductList } from '~/features/catalogue/product-list';
import { parseSort, type Sort } from '~/features/catalogue/sort';
import { buildQuery, parseQuery } from '~/lib/router/query-string';
import { currentLocation, type NavigateOptions, useLocation, useNavigate } from '~/lib/router/router';
import { cardButtons } from './card-buttons';

/** As the URL has it now: what was just typed may not be shown yet. */
const searchNow = () => parseQuery(window.location.search).get('search');

/** Of an entry of the history that the filters made: what is ticked next changes it, so Back undoes all of it. */
const FILTERED = 'filtered';

export default function SubProductsPage() {
  const { pathname, search: queryText } = useLocation();
  const navigate = useNavigate();
  const query = parseQuery(queryText);
  const search = query.get('search');
  const sort = parseSort(query.get('sort'));
  // A ticked checkbox shows at once; the list follows when the new URL is rendered.
  const [chosen, setChosen] = useOptimistic(query.all('category').filter(Boolean));
  const show = (next: { search: string; category: string[]; sort?: Sort }, how?: NavigateOptions) =>
    startTransition(() => {
      setChosen(next.category);
      const shown = next.sort ?? sort;
      void navigate(pathname + buildQuery({ ...next, sort: shown === 'popular' ? '' : shown }), how);
    });
  return (
    <ProductList
      search={search}
      chosen={chosen}
      onCategories={(category) =>
        show({ search: searchNow(), category }, { state: FILTERED, replace: currentLocation().state === FILTERED })
      }
      sort={sort}
      onSort={(next) => show({ search: searchNow(), category: chosen, sort: next })}
      onClearSearch={() => show({ search: '', category: chosen })}
      buttons={cardButtons}
    />
  );
}
