// What waits for an admin, counted beside the sections of the sidebar.
import { useQuery } from '@tanstack/react-query';
import { unreadCountQuery } from './messages/message-queries';
import { openProblemsQuery } from './problems/problem-queries';
import type { Section } from './shared/url-state';

export type SectionCount = { count: number; label: string };

export function useSectionCounts(): Partial<Record<Section, SectionCount>> {
  const { data: problems = 0 } = useQuery(openProblemsQuery);
  const { data: unread = 0 } = useQuery(unreadCountQuery);
  return { problems: { count: problems, label: 'to decide' }, messages: { count: unread, label: 'unread' } };
}
