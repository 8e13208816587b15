// What the client must not compile, checked by `npm run check`: an error that does not occur is an error itself.
import { QueryObserver, useQuery, useQueryClient } from '@tanstack/react-query';
import { del, get, patch, post, put } from './client';
import { publicQuery } from './queries/public-query';
import { publicKeys } from './queries/query-keys';
import { renderGet } from './render-client';
import type { Address, Order } from './types';

const fallback = 'Failed';
const id = 'x';

export async function requests() {
  // The response's type comes from the path.
  const order: Order = (await get('/api/user/orders/{id}', { path: { id }, fallback })).order;
  const address: Address = (await patch('/api/addresses/{id}/default', { path: { id }, fallback })).address;
  // @ts-expect-error another type
  const user: Address = (await get('/api/user/orders/{id}', { path: { id }, fallback })).order;
  // @ts-expect-error a path that does not exist
  void get('/api/user/order', { fallback });
  // @ts-expect-error a path that does not have the method
  void del('/api/user/orders', { fallback });
  // @ts-expect-error the path parameter is missing
  void get('/api/user/orders/{id}', { fallback });
  // @ts-expect-error a path parameter with another name
  void get('/api/user/orders/{id}', { path: { orderId: id }, fallback });
  // @ts-expect-error a path without parameters
  void get('/api/user/orders', { path: { id }, fallback });
  // @ts-expect-error a query parameter that does not exist
  void get('/api/admin/orders', { query: { colour: 'red' }, fallback });
  // @ts-expect-error a query parameter of another type
  void get('/api/admin/orders', { query: { page: 'two' }, fallback });
  // @ts-expect-error the required query parameter is missing
  void get('/api/admin/audit', { fallback });
  // @ts-expect-error the body is missing
  void post('/api/cart/checkout', { fallback });
  // @ts-expect-error a body with a wrong field
  void put('/api/admin/orders/{id}/status', { path: { id }, body: { status: 'shipped' }, fallback });
  // @ts-expect-error a body with a wrong value
  void put('/api/admin/orders/{id}/status', { path: { id }, body: { orderStatus: 'lost' }, fallback });
  // @ts-expect-error a path without a body
  void post('/api/user/wishlist/{id}', { path: { id }, body: {}, fallback });
  // @ts-expect-error a header that does not exist
  void post('/api/cart/checkout', { body: { addressId: id }, headers: { 'Idempotence-Key': id }, fallback });
  // @ts-expect-error a server render reads public paths only
  renderGet('/api/user/orders', { fallback });
  return { order, address, user };
}

// @ts-expect-error a public query of a path that needs a session
publicQuery({ key: publicKeys.shop, path: '/api/user/profile', request: { fallback }, select: (body) => body });
// @ts-expect-error a public query under a user key
publicQuery({ key: ['user', 'shop'], path: '/api/shop', request: { fallback }, select: (body) => body });

export function Keys() {
  const client = useQueryClient();
  // @ts-expect-error a key that is neither 'user' nor 'public'
  useQuery({ queryKey: ['cart'], queryFn: () => get('/api/cart/cart', { fallback }) });
  // @ts-expect-error
  void client.invalidateQueries({ queryKey: ['cart'] });
  // @ts-expect-error
  return new QueryObserver(client, { queryKey: ['cart'] });
}
