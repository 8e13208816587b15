// The filter of the list of problems, and problems in words.
import type { ListedProblem, ProblemState } from '~/api/types';
import { formatDateTimeIst } from '~/lib/format';
import { keyOf, pageNumber, urlFilter } from '~/lib/router/url-filter';
import type { Tone } from '~/ui/badge';

export const PROBLEMS_PER_PAGE = 10;

/** `unsettled`: there is something left to do. */
export const FILTER_LABELS = {
  unsettled: 'To do',
  open: 'To decide',
  replaced: 'Replaced',
  refunded: 'Refunded',
  declined: 'Declined',
  all: 'All',
};
export type ProblemFilter = keyof typeof FILTER_LABELS;

export const problemsUrl = urlFilter({ state: keyOf(FILTER_LABELS, 'unsettled'), page: pageNumber });

const words: Record<ProblemState, { label: string; due: string }> = {
  open: { label: 'To decide', due: 'Decide by' },
  replaced: { label: 'Replaced', due: 'Deliver the replacement by' },
  refunded: { label: 'Refunded', due: 'Refund by' },
  declined: { label: 'Declined', due: '' },
};

type Problem = Pick<ListedProblem, 'state' | 'settled' | 'overdue' | 'dueAt'>;

export function stateBadge({ state, settled }: Problem): { label: string; tone: Tone } {
  const { label } = words[state];
  if (state === 'open') return { label, tone: 'yellow' };
  if (state === 'declined') return { label, tone: 'neutral' };
  return settled ? { label: `${label}, settled`, tone: 'green' } : { label: `${label}, under way`, tone: 'blue' };
}

/** Until when the next step is due; empty where nothing is left to do. */
export function dueText({ state, settled, overdue, dueAt }: Problem): string {
  if (settled || !dueAt) return '';
  return `${overdue ? 'Overdue: ' : ''}${words[state].due} ${formatDateTimeIst(dueAt)}`;
}
