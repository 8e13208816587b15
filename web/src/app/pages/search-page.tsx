// The search results page: /search?q=text.
import { useLocation } from 'react-router';
import { parseQuery } from '~/api/query-string';
import { SearchView } from '~/features/search/search-view';

export default function SearchPage() {
  const query = parseQuery(useLocation().search);
  return <SearchView text={(query.get('q') || query.get('search')).trim()} />;
}
