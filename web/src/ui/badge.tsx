// A small coloured word: a status, a category, a count.
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'green' | 'yellow' | 'blue' | 'red';

const tones: Record<Tone, string> = {
  neutral: 'bg-paper-deep text-ink-soft dark:bg-line',
  green: 'bg-badge-green text-on-badge-green',
  yellow: 'bg-badge-yellow text-on-badge-yellow',
  blue: 'bg-badge-blue text-on-badge-blue',
  red: 'bg-badge-red text-on-badge-red',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-full px-3 py-1 text-sm font-semibold ${tones[tone]}`}>
      {children}
    </span>
  );
}
