// Tabs by the ARIA pattern: one tab is in the tab order, arrow keys move, the panel is labelled by its tab.
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export type Tab = { key: string; label: string; panel: ReactNode };

export function Tabs({
  label,
  tabs,
  active,
  onChange,
}: {
  label: string;
  tabs: Tab[];
  active: string;
  onChange: (key: string) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.key === active),
  );
  const current = tabs[index];

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step ? (index + step + tabs.length) % tabs.length : { Home: 0, End: tabs.length - 1 }[event.key];
    const target = next === undefined ? undefined : tabs[next];
    if (!target) return;
    event.preventDefault();
    onChange(target.key);
    list.current?.querySelectorAll<HTMLButtonElement>('[role="tab"]')[next ?? 0]?.focus();
  };

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onChange(tab.key)}
            className="-mb-px min-h-12 border-b-3 border-transparent px-5 font-semibold text-ink-soft transition hover:text-ink aria-selected:border-chilli-fill aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {current && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${current.key}`}
          tabIndex={0}
          className="pt-6 outline-offset-8"
        >
          {current.panel}
        </div>
      )}
    </div>
  );
}
