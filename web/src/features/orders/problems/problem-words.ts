// Problems in words, for the customer. The rule is `Order::reportable_until_ms` in crates/domain/src/order.rs; the server
// decides.
import type { Order, Problem, ProblemState } from '~/api/types';
import { formatDate } from '~/lib/format';
import { formatDeadline, formatTimeLeft } from '~/lib/time-left';
import type { Tone } from '~/ui/badge';

/** The shop decides about one problem of an order at a time. */
export const hasOpenProblem = ({ problems }: Pick<Order, 'problems'>) => problems.some(({ state }) => state === 'open');

/** 'You can report it until 11:59 PM IST today, 3 h 12 min left'. */
export function reportDeadlineText(until: string, nowMs: number): string {
  const left = formatTimeLeft(Date.parse(until) - nowMs);
  return `You can report it until ${formatDeadline(until, nowMs)}${left && `, ${left} left`}`;
}

const words: Record<ProblemState, { label: string; tone: Tone }> = {
  open: { label: 'We are looking into it', tone: 'yellow' },
  replaced: { label: 'Replaced', tone: 'green' },
  refunded: { label: 'Refunded', tone: 'green' },
  declined: { label: 'Declined', tone: 'neutral' },
};

export const problemWords = (state: ProblemState) => words[state];

export function nextStepText({ state, dueAt, refundId }: Pick<Problem, 'state' | 'dueAt' | 'refundId'>): string {
  const day = dueAt && formatDate(dueAt);
  switch (state) {
    case 'open':
      return `You hear from us by ${day}.`;
    case 'replaced':
      return `Your replacement arrives by ${day}:`;
    case 'refunded':
      return refundId ? `Your refund reaches you by ${day}.` : 'What can be refunded has been refunded.';
    case 'declined':
      return 'You see it differently?';
  }
}
