// Updates title and canonical link after each navigation, and announces the new page to screen readers.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { shopQuery } from '~/api/queries/catalogue';
import { useLocation } from '~/lib/router/router';
import { matchRoute, type RouteContext, routeContext } from '../routing/routes';
import { reportSeenPage } from '../seen-page';
import { applyHead, headFor } from './head';

export function DocumentHead() {
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const [announced, setAnnounced] = useState('');
  const isFirst = useRef(true);

  useEffect(() => {
    let last = '';
    const update = () => {
      const read: RouteContext['read'] = (query) => client.getQueryData(query.queryKey);
      const match = matchRoute(pathname);
      const head = headFor(match.route, routeContext(match, pathname, search, read, read(shopQuery)));
      const fingerprint = JSON.stringify(head);
      if (fingerprint === last) return;
      last = fingerprint;
      applyHead(head);
      if (!isFirst.current) {
        setAnnounced(head.title);
        if (head.indexable) reportSeenPage(pathname);
      }
    };
    update();
    isFirst.current = false;
    // The title of a product page is known once the product is loaded.
    return client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') update();
    });
  }, [client, pathname, search]);

  return (
    <div role="status" className="sr-only">
      {announced}
    </div>
  );
}
