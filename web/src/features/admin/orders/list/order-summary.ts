// An order in a few words, below the values of its row.
import type { Order } from '~/api/types';

/** 'Asha Kulkarni, Pune' */
export const recipientText = ({ deliveryAddress: address }: Pick<Order, 'deliveryAddress'>): string =>
  address ? [address.name, address.city].filter(Boolean).join(', ') : '';

/** '2 × Goda Masala 50 g, 1 × Chai Masala 100 g' */
export const itemsText = ({ items }: Pick<Order, 'items'>): string =>
  items.map((item) => `${item.quantity} × ${item.productName} ${item.qty_50g > 0 ? 50 : 100} g`).join(', ');
