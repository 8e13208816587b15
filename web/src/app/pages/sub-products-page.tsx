// The product list. Its state is in the URL, so that it can be linked to and Back works.
import { startTransition, useOptimistic } from 'react';
import { buildQuery, parseQuery } from '~/api/query-string';
import { ProductList } from '~/features/catalogue/product-list';
import { useLocation, useNavigate } from '~/ui/router';

export default function SubProductsPage() {
  const { pathname, search: queryText } = useLocation();
  const navigate = useNavigate();
  const query = parseQuery(queryText);
  const search = query.get('search');
  // A ticked checkbox shows at once; the list follows when the new URL is rendered.
  const [chosen, setChosen] = useOptimistic(query.all('category').filter(Boolean));
  const show = (next: { search: string; category: string[] }) =>
    startTransition(() => {
      setChosen(next.category);
      void navigate(pathname + buildQuery(next));
    });
  return (
    <ProductList
      search={search}
      chosen={chosen}
      // The search text as the URL has it now: what was just typed may not be shown yet.
      onCategories={(category) => show({ search: parseQuery(window.location.search).get('search'), category })}
      onClearSearch={() => show({ search: '', category: chosen })}
    />
  );
}
