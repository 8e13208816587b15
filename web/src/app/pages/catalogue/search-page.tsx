// The search results page: /search?q=text.

import { SearchView } from '~/features/search/search-view';
import { parseQuery } from '~/lib/router/query-string';
import { useLocation } from '~/lib/router/router';

export default function SearchPage() {
  const query = parseQuery(useLocation().search);
  return <SearchView text={(query.get('q') || query.get('search')).trim()} />;
}
