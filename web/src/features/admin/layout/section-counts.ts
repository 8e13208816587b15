// What waits for an admin, counted beside the sections of the sidebar. One request has all counts.
import { useQuery } from '@tanstack/react-query';
import type { Section } from '../console/url-state';
import { countAll } from '../to-do/to-do-list';
import { toDoQuery } from '../to-do/to-do-queries';

export type SectionCount = { count: number; label: string };

export function useSectionCounts(): Partial<Record<Section, SectionCount>> {
  const { data: toDo } = useQuery(toDoQuery);
  if (!toDo) return {};
  return {
    'to-do': { count: countAll(toDo), label: 'to do' },
    stock: { count: toDo.lowStock + toDo.oldBatches, label: 'run out' },
    problems: { count: toDo.problems, label: 'to decide' },
    messages: { count: toDo.messages, label: 'unread' },
    shipments: { count: toDo.parcels + toDo.unscannedParcels, label: 'need you' },
  };
}
