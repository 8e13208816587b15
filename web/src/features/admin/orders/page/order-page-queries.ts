// What the page of an order changes: it adds notes and corrects the delivery address.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post, put } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { DeliveryAddress, Order } from '~/api/types';
import { toast } from '~/ui/feedback/toast';
import type { OrderPageData } from '../../console/order-query';

export function useAddNote(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) =>
      post('/api/admin/orders/{id}/notes', { path: { id }, body: { text }, fallback: 'Failed to add the note' }),
    onSuccess: ({ note }) =>
      client.setQueryData<OrderPageData>(
        adminKeys.orderPageOf(id),
        (page) => page && { ...page, notes: [...page.notes, note] },
      ),
  });
}

export function useCorrectAddress({ _id: id, version }: Order) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (address: DeliveryAddress) =>
      put('/api/admin/orders/{id}/address', {
        path: { id },
        body: { ...address, version },
        fallback: 'Failed to correct the address',
      }),
    onSuccess: () => toast.success('Delivery address corrected'),
    // If it was refused, the page shows what happened meanwhile.
    onSettled: () => {
      for (const queryKey of [adminKeys.orders, adminKeys.auditLog(id)]) void client.invalidateQueries({ queryKey });
    },
  });
}
