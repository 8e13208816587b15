// The product list. Its state is its address, so that what is shown can be linked to and Back works.
import { startTransition, useOptimistic } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { buildQuery, parseQuery } from '~/api/query-string';
import { ProductList } from '~/features/catalogue/product-list';

export default function SubProductsPage() {
  const { pathname, search: queryText } = useLocation();
  const navigate = useNavigate();
  const query = parseQuery(queryText);
  const search = query.get('search');
  // A ticked box shows at once; the list follows when the new address is rendered.
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
      onCategories={(category) => show({ search, category })}
      onClearSearch={() => show({ search: '', category: chosen })}
    />
  );
}
