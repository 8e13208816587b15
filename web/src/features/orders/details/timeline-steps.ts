// The timeline of an order: the specification's steps with their times, and beside them what else happened (cancelled,
// refunded, a problem), by time; at the end what is still to come. And the courier's scans, for a list of their own.
import type { Order, OrderEvent, OrderStatus, ShipmentEvent, ShipmentStatus } from '~/api/types';
import { formatAmount, formatDateTime } from '~/lib/format';
import { arrivalText } from '~/shared/order/parcel';
import { refundWords, replacedIds } from '~/shared/order/refund-state';
import { shipmentLabel } from '~/shared/order/shipment-status';
import { timeline } from '../order-model';

export type TimelineKind = 'done' | 'waiting' | 'cancelled' | 'refund' | 'problem' | 'parcel' | 'coming';
export type TimelineStep = { title: string; hints: string[]; kind: TimelineKind };

type TimedOrder = Pick<
  Order,
  'orderStatus' | 'paymentStatus' | 'createdAt' | 'deliveredAt' | 'events' | 'refunds' | 'shipment'
>;
type TimedStep = TimelineStep & { at: string };

const statusOfStep: Record<string, OrderStatus> = {
  'Order Confirmed': 'confirmed',
  'Order Shipped': 'shipped',
  'Order Delivered': 'delivered',
};

export function timelineSteps(order: TimedOrder): TimelineStep[] {
  const steps = [
    ...specifiedSteps(order),
    ...parcelSteps(order),
    ...requestSteps(order),
    ...cancelledSteps(order),
    ...refundSteps(order),
    ...problemSteps(order),
  ];
  // Steps of the same time stay in this order.
  steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return [...steps, ...comingSteps(order)];
}

const STILL_TO_COME: Partial<Record<OrderStatus, string[]>> = {
  pending: ['Confirmation', 'Shipping', 'Delivery'],
  confirmed: ['Shipping', 'Delivery'],
  shipped: ['Delivery'],
};
/** Of these parcels none can say when they arrive, or whether. */
const STRAYED: ShipmentStatus[] = ['returning', 'returned', 'lost'];

function comingSteps({ orderStatus, shipment, paymentStatus }: TimedOrder): TimelineStep[] {
  if (paymentStatus === 'failed' || (shipment && STRAYED.includes(shipment.status))) return [];
  const arrival = shipment ? arrivalText(shipment, Date.now()) : '';
  return (STILL_TO_COME[orderStatus] ?? []).map((title) => ({
    title,
    hints: title === 'Delivery' && arrival ? [arrival] : [],
    kind: 'coming',
  }));
}

function specifiedSteps(order: TimedOrder): TimedStep[] {
  let at = order.createdAt;
  return timeline(order.orderStatus).map(({ title, hint }) => {
    const own = title === 'Order Placed' ? order.createdAt : timeOf(order, statusOfStep[title]);
    // A step without a time of its own stays behind the one before it.
    at = own ?? at;
    const place = (title === 'Order Delivered' && deliveredScan(order)?.place) || undefined;
    const hints = [hint, place, own && formatDateTime(own)].filter((text) => text !== undefined);
    return { title, hints, at, kind: title === 'Delivery Partner Not Integrated' ? 'waiting' : 'done' };
  });
}

function timeOf({ events, deliveredAt }: TimedOrder, status: OrderStatus | undefined): string | undefined {
  if (status === 'delivered' && deliveredAt) return deliveredAt;
  return status && lastEvent(events, (event) => event.status === status)?.at;
}

/** Scans that change what the customer has to expect. All of them: `courierUpdates`. */
const MILESTONES: ShipmentStatus[] = ['out_for_delivery', 'undelivered', ...STRAYED];

function parcelSteps(order: TimedOrder): TimedStep[] {
  return (order.shipment?.events ?? [])
    .filter(({ status }) => MILESTONES.includes(status))
    .map((scan) => ({ ...scanWords(scan), at: scan.at, kind: 'parcel' }));
}

/** What the courier reports, with its places, the newest first. */
export function courierUpdates({ shipment }: Pick<Order, 'shipment'>): Omit<TimelineStep, 'kind'>[] {
  return (shipment?.events ?? []).map(scanWords).reverse();
}

function scanWords({ at, status, text, place }: ShipmentEvent): Omit<TimelineStep, 'kind'> {
  // Before the pick-up there are several: booked, pickup scheduled.
  const title = status === 'ready' ? text : shipmentLabel(status);
  return { title, hints: [text === title ? '' : text, place, formatDateTime(at)].filter(Boolean) };
}

const deliveredScan = ({ shipment }: TimedOrder) =>
  shipment?.events.filter(({ status }) => status === 'delivered').at(-1);

function cancelledSteps({ orderStatus, events }: TimedOrder): TimedStep[] {
  const event = orderStatus === 'cancelled' && lastEvent(events, ({ status }) => status === 'cancelled');
  if (!event) return [];
  const isByCustomer = ['cancelled_by_customer', 'cancellation_accepted'].includes(event.kind);
  const why = isByCustomer ? 'By you' : event.kind === 'ended' ? event.text : '';
  return [
    {
      title: 'Order Cancelled',
      hints: [why, formatDateTime(event.at)].filter(Boolean),
      at: event.at,
      kind: 'cancelled',
    },
  ];
}

const requestTitles: Record<string, string> = {
  cancellation_requested: 'Cancellation Requested',
  cancellation_declined: 'Cancellation Declined',
};

/** An accepted request is the step 'Order Cancelled'. */
function requestSteps({ events }: TimedOrder): TimedStep[] {
  return events.flatMap(({ kind, at }) => {
    const title = requestTitles[kind];
    return title ? [{ title, hints: [formatDateTime(at)], at, kind: 'problem' as const }] : [];
  });
}

function refundSteps({ refunds }: TimedOrder): TimedStep[] {
  const replaced = replacedIds(refunds);
  return refunds
    .filter(({ _id }) => !replaced.has(_id))
    .map(({ state, amount, createdAt, updatedAt }) => {
      const at = state === 'completed' ? updatedAt : createdAt;
      const { label } = refundWords(state, 'customer');
      return { title: `Refund of ${formatAmount(amount)}`, hints: [label, formatDateTime(at)], at, kind: 'refund' };
    });
}

function problemSteps({ events }: TimedOrder): TimedStep[] {
  return events
    .filter(({ kind }) => kind === 'problem_reported' || kind === 'problem_resolved')
    .map(({ kind, text, at }) => ({
      title: kind === 'problem_reported' ? 'Problem Reported' : text,
      hints: [formatDateTime(at)],
      at,
      kind: 'problem',
    }));
}

const lastEvent = (events: OrderEvent[], isIt: (event: OrderEvent) => boolean) => events.filter(isIt).at(-1);
