// Choices of which one is on, as a row of pills: the filter of a list.
import { useId } from 'react';

type Props<Choice extends string> = {
  labels: Record<Choice, string>;
  chosen: Choice;
  /** Shown behind the label. */
  counts?: Partial<Record<Choice, number>>;
  className?: string;
  onChange: (choice: Choice) => void;
};

export function ChoiceFilter<Choice extends string>({
  labels,
  chosen,
  counts = {},
  className = '',
  onChange,
}: Props<Choice>) {
  const name = useId();
  return (
    <fieldset className={`mt-4 flex flex-wrap gap-2 ${className}`}>
      <legend className="sr-only">Show</legend>
      {(Object.keys(labels) as Choice[]).map((choice) => (
        <label
          key={choice}
          className="relative inline-flex min-h-11 items-center gap-2 rounded-full border border-line-strong px-5 font-semibold transition hover:bg-paper-deep has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-chilli max-sm:px-4"
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            checked={choice === chosen}
            onChange={() => onChange(choice)}
          />
          {labels[choice]}
          {counts[choice] ? <span className="tabular-nums">({counts[choice]})</span> : null}
        </label>
      ))}
    </fieldset>
  );
}
