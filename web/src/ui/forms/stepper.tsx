// Minus, a number, plus: a quantity between 0 and what stock allows.
import { Icon } from '../graphics/more-icons';

type Props = {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean;
};

export function Stepper({ label, value, max, onChange, disabled }: Props) {
  const button =
    'grid size-11 place-items-center rounded-full transition hover:bg-paper-deep disabled:opacity-35 disabled:hover:bg-transparent';
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex items-center rounded-full border border-line-strong bg-raised"
    >
      <button
        type="button"
        className={button}
        aria-label={`Less: ${label}`}
        disabled={disabled || value <= 0}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" className="size-4" />
      </button>
      <output aria-live="polite" className="min-w-8 text-center font-semibold tabular-nums">
        {value}
      </output>
      <button
        type="button"
        className={button}
        aria-label={`More: ${label}`}
        disabled={disabled || value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" className="size-4" />
      </button>
    </div>
  );
}
