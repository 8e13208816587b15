// Keeps title, description and canonical link true while the visitor moves, and tells screen readers where they are.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { shopIdentity } from '~/api/catalogue';
import { applyHead, headOf } from './head';
import { matchRoute, type RouteContext, routeContext } from './routes';

export function HeadSync() {
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const [announced, setAnnounced] = useState('');
  const isFirst = useRef(true);

  useEffect(() => {
    let last = '';
    const update = () => {
      const read: RouteContext['read'] = (query) => client.getQueryData(query.queryKey);
      const match = matchRoute(pathname);
      const head = headOf(match.route, routeContext(match, pathname, search, read, read(shopIdentity)));
      const fingerprint = JSON.stringify(head);
      if (fingerprint === last) return;
      last = fingerprint;
      applyHead(head);
      if (!isFirst.current) setAnnounced(head.title);
    };
    update();
    isFirst.current = false;
    // A product's title is known only once the product is.
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
