// The number beside a section: how many entries wait for an admin there.
import type { SectionCount } from './section-counts';

export function SectionBadge({ waiting, className = '' }: { waiting: SectionCount | undefined; className?: string }) {
  if (!waiting || waiting.count === 0) return null;
  return (
    <span
      className={`grid h-5.5 min-w-5.5 place-items-center rounded-full bg-chilli-fill px-1.5 text-xs font-bold text-on-chilli tabular-nums ${className}`}
    >
      {waiting.count > 99 ? '99+' : waiting.count}
      <span className="sr-only"> {waiting.label}</span>
    </span>
  );
}
