// What the parcels of the listed orders would cost. The delivery partner is asked for those that come into view.
import { useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { OrderToPackAndShip } from '~/api/types';
import { parcelCostsQuery } from './queries';
import { COSTS_PER_REQUEST, inGroups } from './run';

export type ParcelCost = { cost: number | null; courier: string };

/** Booked parcels have theirs. */
const isAsked = ({ stage, cost }: OrderToPackAndShip) => cost === null && (stage === 'pack' || stage === 'ship');

export function useParcelCosts(rows: OrderToPackAndShip[], hasPartner: boolean) {
  const groups = inGroups(rows, COSTS_PER_REQUEST);
  const [seen, setSeen] = useState(1);
  const costs = new Map<string, ParcelCost>();
  const asking = new Set<string>();
  const answers = useQueries({
    queries: groups.map((group, at) =>
      parcelCostsQuery(
        group.filter(isAsked).map(({ order }) => order._id),
        hasPartner && at < seen,
      ),
    ),
  });
  groups.forEach((group, at) => {
    const answer = answers[at];
    for (const each of answer?.data ?? []) costs.set(each.orderId, each);
    // Not when the request has failed: then the cost is not known.
    if (hasPartner && answer?.isPending) for (const row of group.filter(isAsked)) asking.add(row.order._id);
  });
  for (const { order, cost, courier } of rows) if (cost !== null) costs.set(order._id, { cost, courier });

  /** For the first row of each group: asks for the group when it comes into view. */
  const watch = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      const group = Number(element.dataset.group);
      setSeen((before) => Math.max(before, group + 1));
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const watched = (index: number) =>
    index > 0 && index % COSTS_PER_REQUEST === 0 ? { ref: watch, 'data-group': index / COSTS_PER_REQUEST } : undefined;
  return { costs, asking, watched };
}
