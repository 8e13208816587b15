// The entries of the list: what they say, how urgent they are, and where they lead.
import type { ToDo } from '~/api/types';
import { plural } from '~/lib/format';
import type { AdminIconName } from '../console/admin-icon';
import { adminPath } from '../console/url-state';

/** `late` is overdue or failed, `due` is the work of the day. */
export type ToDoEntry = {
  kind: string;
  tone: 'late' | 'due';
  icon: AdminIconName;
  count: number;
  title: string;
  hint: string;
  to: string;
};

type Kind = Exclude<keyof ToDo, 'unscannedDays' | 'hasPartner' | 'overdueCancellations'>;

/** What counts in the sidebar. Orders that are overdue are also to pack or to ship. */
const COUNTED: Kind[] = [
  'toPack',
  'toShip',
  'toConfirm',
  'keptPayments',
  'problems',
  'cancellations',
  'failedRefunds',
  'issues',
  'messages',
  'lowStock',
  'oldBatches',
  'failedEmails',
  'parcels',
  'unscannedParcels',
];

export const countAll = (toDo: ToDo): number => COUNTED.reduce((sum, kind) => sum + toDo[kind], 0);

/** What is there to do, the most urgent first. */
export function toDoEntries(toDo: ToDo): ToDoEntry[] {
  const entry = (
    kind: Kind,
    tone: ToDoEntry['tone'],
    icon: AdminIconName,
    [one, many]: [string, string],
    hint: string,
    to: string,
  ): ToDoEntry => ({ kind, tone, icon, count: toDo[kind], title: toDo[kind] === 1 ? one : many, hint, to });
  const orders = (values: Record<string, string>) => adminPath('orders', values);
  const all = [
    entry(
      'overdue',
      'late',
      'orders',
      ['order is overdue', 'orders are overdue'],
      'Paid more than 7 days ago and not shipped',
      orders({ todo: 'overdue' }),
    ),
    entry(
      'failedRefunds',
      'late',
      'invoices',
      ['refund failed', 'refunds failed'],
      'The customer is still waiting for the money',
      orders({ issue: 'refund failed' }),
    ),
    entry(
      'keptPayments',
      'late',
      'invoices',
      ['order is paid, cancelled, not refunded', 'orders are paid, cancelled, not refunded'],
      'Refund, or say why the money is kept',
      orders({ issue: 'paid, cancelled, not refunded' }),
    ),
    entry(
      'toConfirm',
      'late',
      'orders',
      ['paid order without a decision', 'paid orders without a decision'],
      'Nothing is left to send, or its status is pending or N/A: refund, confirm, ship or cancel',
      orders({ todo: 'confirm' }),
    ),
    entry(
      'problems',
      'late',
      'problems',
      ['problem reported', 'problems reported'],
      'Replace, refund or decline',
      adminPath('problems'),
    ),
    entry(
      'cancellations',
      'late',
      'orders',
      ['customer asks to cancel', 'customers ask to cancel'],
      toDo.overdueCancellations > 0
        ? `${toDo.overdueCancellations} overdue: the policy promises an answer within a day`
        : 'Accept or decline within a day',
      orders({ todo: 'cancellation' }),
    ),
    entry(
      'parcels',
      'late',
      'shipments',
      ['parcel needs you', 'parcels need you'],
      'A step failed, or it came back or was lost',
      adminPath('shipments', { group: 'attention' }),
    ),
    entry(
      'unscannedParcels',
      'late',
      'shipments',
      ['parcel without a scan', 'parcels without a scan'],
      `The courier has reported nothing for ${plural(toDo.unscannedDays, 'day')}`,
      adminPath('shipments', { group: 'unscanned' }),
    ),
    entry(
      'oldBatches',
      'late',
      'stock',
      ['batch is too old to send', 'batches are too old to send'],
      'Less than 45 days left: write off what remains',
      adminPath('stock', { show: 'batches' }),
    ),
    entry(
      'failedEmails',
      'late',
      'messages',
      ['email was not delivered', 'emails were not delivered'],
      'The mail server has refused them several times',
      adminPath('to-do', { show: 'emails' }),
    ),
    entry(
      'issues',
      'late',
      'orders',
      ['order needs a person', 'orders need a person'],
      'Late payments, wrong amounts, unpaid or refunded orders that left, parcels',
      orders({}),
    ),
    entry(
      'toPack',
      'due',
      'products',
      ['order to pack', 'orders to pack'],
      'Paid and confirmed',
      orders({ todo: 'pack' }),
    ),
    entry(
      'toShip',
      'due',
      'shipments',
      ['order to ship', 'orders to ship'],
      'Packed, without a parcel',
      toDo.hasPartner ? adminPath('shipments') : orders({ todo: 'ship' }),
    ),
    entry(
      'messages',
      'due',
      'messages',
      ['message to read', 'messages to read'],
      'From the contact form',
      adminPath('messages', { state: 'unread' }),
    ),
    entry(
      'lowStock',
      'due',
      'stock',
      ['product runs out', 'products run out'],
      'By the sales of the last 14 days',
      adminPath('stock', { show: 'low' }),
    ),
  ];
  return all.filter(({ count }) => count > 0);
}
