// What waits for an admin, counted beside the sections of the sidebar.
import { useQuery } from '@tanstack/react-query';
import { unreadCountQuery } from './messages/message-queries';
import { openProblemsQuery } from './problems/problem-queries';
import type { Section } from './shared/url-state';
import { attentionCountQuery } from './shipments/shipment-queries';

export type SectionCount = { count: number; label: string };

export function useSectionCounts(): Partial<Record<Section, SectionCount>> {
  const { data: problems = 0 } = useQuery(openProblemsQuery);
  const { data: unread = 0 } = useQuery(unreadCountQuery);
  const { data: parcels = 0 } = useQuery(attentionCountQuery);
  return {
    problems: { count: problems, label: 'to decide' },
    messages: { count: unread, label: 'unread' },
    shipments: { count: parcels, label: 'need you' },
  };
}
