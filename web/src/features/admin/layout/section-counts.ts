// What waits for an admin, counted beside the sections of the sidebar: each entry of the list of what is to do counts in the
// section where it is done.
import { useQuery } from '@tanstack/react-query';
import { toDoQuery } from '../console/to-do-query';
import type { Section } from '../console/url-state';
import { countAll, countBySection } from '../to-do/to-do-list';

export type SectionCount = { count: number; label: string };

const LABELS: Partial<Record<Section, string>> = { problems: 'to decide', messages: 'unread', shipments: 'need you' };

export function useSectionCounts(): Partial<Record<Section, SectionCount>> {
  const { data: toDo } = useQuery(toDoQuery);
  if (!toDo) return {};
  const counts: Partial<Record<Section, SectionCount>> = {};
  for (const [section, count] of Object.entries(countBySection(toDo)) as [Section, number][])
    counts[section] = { count, label: LABELS[section] ?? 'to do' };
  return { ...counts, 'to-do': { count: countAll(toDo), label: 'to do' } };
}
