// How many entries a page of a list has.
import { useId } from 'react';

type Props<Size extends string> = { label: string; sizes: readonly Size[]; size: Size; onChange: (size: Size) => void };

export function PageSize<Size extends string>({ label, sizes, size, onChange }: Props<Size>) {
  const id = useId();
  return (
    <p className="flex items-center justify-center gap-2 text-ink-soft">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={size}
        onChange={(event) => onChange(event.target.value as Size)}
        className="min-h-11 rounded-md border border-line-strong bg-raised px-2.5 text-ink tabular-nums"
      >
        {sizes.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </p>
  );
}
