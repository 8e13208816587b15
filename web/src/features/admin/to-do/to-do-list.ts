// The entries of the list: what they say, how urgent they are, and where they lead. Each thing that waits is in one entry.
import type { ToDo } from '~/api/types';
import { plural } from '~/lib/format';
import type { AdminIconName } from '../console/admin-icon';
import { adminPath, type Section, type UrlValues } from '../console/url-state';

/** `late` is overdue or failed, `due` is the work of the day. */
export type ToDoEntry = {
  kind: string;
  tone: 'late' | 'due';
  icon: AdminIconName;
  count: number;
  title: string;
  hint: string;
  /** What is done there, such as 'Pack'. */
  action: string;
  /** Where it is done. The section's own count has it. */
  section: Section;
  to: string;
};

type Kind = Exclude<keyof ToDo, 'unscannedDays' | 'hasPartner' | 'overdue' | 'overdueCancellations'>;
type Place = [section: Section, filter?: UrlValues];

/** The sum of all entries. */
export const countAll = (toDo: ToDo): number => toDoEntries(toDo).reduce((sum, { count }) => sum + count, 0);

/** How many wait in each section. */
export function countBySection(toDo: ToDo): Partial<Record<Section, number>> {
  const counts: Partial<Record<Section, number>> = {};
  for (const { section, count } of toDoEntries(toDo)) counts[section] = (counts[section] ?? 0) + count;
  return counts;
}

/** Orders that are overdue are also to pack, to ship or on their way to the courier, so they are no entry. */
export const overduePath = adminPath('orders', { todo: 'overdue' });

/** What is there to do, the most urgent first. */
export function toDoEntries(toDo: ToDo): ToDoEntry[] {
  const entry = (
    kind: Kind,
    tone: ToDoEntry['tone'],
    icon: AdminIconName,
    [one, many]: [string, string],
    hint: string,
    action: string,
    [section, filter]: Place,
  ): ToDoEntry => ({
    kind,
    tone,
    icon,
    count: toDo[kind],
    title: toDo[kind] === 1 ? one : many,
    hint,
    action,
    section,
    to: adminPath(section, filter),
  });
  const all = [
    entry(
      'failedRefunds',
      'late',
      'invoices',
      ['refund failed', 'refunds failed'],
      'The customer is still waiting for the money',
      'Refund',
      ['orders', { issue: 'failedRefunds' }],
    ),
    entry(
      'keptPayments',
      'late',
      'invoices',
      ['order is paid, cancelled, not refunded', 'orders are paid, cancelled, not refunded'],
      'Refund, or say why the money is kept',
      'Decide',
      ['orders', { issue: 'keptPayments' }],
    ),
    entry(
      'toConfirm',
      'late',
      'orders',
      ['paid order without a decision', 'paid orders without a decision'],
      'Nothing is left to send, or its status is pending or N/A: refund, confirm, ship or cancel',
      'Decide',
      ['orders', { todo: 'confirm' }],
    ),
    entry(
      'problems',
      'late',
      'problems',
      ['problem reported', 'problems reported'],
      'Replace, refund or decline',
      'Decide',
      ['problems', { state: 'open' }],
    ),
    entry(
      'cancellations',
      'late',
      'orders',
      ['customer asks to cancel', 'customers ask to cancel'],
      toDo.overdueCancellations > 0
        ? `${toDo.overdueCancellations} overdue: the policy promises an answer within a day`
        : 'Accept or decline within a day',
      'Answer',
      ['orders', { todo: 'cancellation' }],
    ),
    entry(
      'parcels',
      'late',
      'shipments',
      ['parcel needs you', 'parcels need you'],
      'A step failed, or it came back or was lost',
      'Decide',
      ['shipments', { group: 'attention' }],
    ),
    entry(
      'unscannedParcels',
      'late',
      'shipments',
      ['parcel without a scan', 'parcels without a scan'],
      `The courier has reported nothing for ${plural(toDo.unscannedDays, 'day')}`,
      'Check',
      ['shipments', { group: 'unscanned' }],
    ),
    entry(
      'oldBatches',
      'late',
      'stock',
      ['batch is too old to send', 'batches are too old to send'],
      'Less than 45 days left: write off what remains',
      'Write off',
      ['stock', { show: 'old' }],
    ),
    entry(
      'failedEmails',
      'late',
      'messages',
      ['email was not delivered', 'emails were not delivered'],
      'The mail server has refused them several times',
      'Read',
      ['to-do', { show: 'emails' }],
    ),
    entry(
      'issues',
      'late',
      'orders',
      ['order needs a person', 'orders need a person'],
      'Late payments, wrong amounts, unpaid or refunded orders that left',
      'Settle',
      ['orders', { issue: 'issues' }],
    ),
    entry('toPack', 'due', 'pack-and-ship', ['order to pack', 'orders to pack'], 'Paid and confirmed', 'Pack', [
      'pack-and-ship',
    ]),
    entry(
      'toShip',
      'due',
      'shipments',
      ['order to ship', 'orders to ship'],
      'Packed, without a parcel',
      'Ship',
      toDo.hasPartner ? ['shipments'] : ['orders', { todo: 'ship' }],
    ),
    entry('messages', 'due', 'messages', ['message to read', 'messages to read'], 'From the contact form', 'Answer', [
      'messages',
      { state: 'unread' },
    ]),
    entry(
      'lowStock',
      'due',
      'stock',
      ['product runs out', 'products run out'],
      'By the sales of the last 14 days',
      'Restock',
      ['stock', { show: 'low' }],
    ),
  ];
  return all.filter(({ count }) => count > 0);
}
