// The search results page: /search?q=text.

import { parseQuery } from '~/api/query-string';
import { SearchView } from '~/features/search/search-view';
import { useLocation } from '~/ui/router';

export default function SearchPage() {
  const query = parseQuery(useLocation().search);
  return <SearchView text={(query.get('q') || query.get('search')).trim()} />;
}
