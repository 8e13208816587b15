import { expect, it } from 'vitest';
import { testOrder } from '~/testing/order';
import { canPack, isPacked, packingUrl } from './packing';

it('packs only confirmed and paid orders', () => {
  const order = {
    ...testOrder,
    orderStatus: 'confirmed' as const,
    paymentStatus: 'completed' as const,
    packedAt: null,
  };
  expect(canPack(order)).toBe(true);
  expect(isPacked(order)).toBe(false);
  expect(canPack({ ...order, paymentStatus: 'pending' })).toBe(false);
  expect(canPack({ ...order, orderStatus: 'shipped' })).toBe(false);
  const packed = { ...order, packedAt: '2026-11-14T06:35:00Z' };
  expect(isPacked(packed)).toBe(true);
  expect(isPacked({ ...packed, orderStatus: 'shipped' })).toBe(false);
});

it('names all orders in the URL of the slips', () => {
  const orders = ['a', 'b&c'].map((_id) => ({ ...testOrder, _id }));
  expect(packingUrl(orders)).toBe('/api/admin/packing.pdf?orders=a,b%26c');
});
