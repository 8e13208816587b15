// What a discount code is for: the whole order, or chosen categories and products.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { filtersQuery } from '~/api/queries/catalogue';
import { Field } from '~/ui/forms/field';
import { productChoiceQuery } from './discount-queries';

type Scope = { categories: string[]; products: string[] };
type Props = Scope & { error: string | undefined; onChange: (part: Partial<Scope>) => void };

export function ScopeFields({ categories, products, error, onChange }: Props) {
  const { data: filters } = useQuery(filtersQuery);
  const known = filters?.categories ?? [];
  const isEverything = categories.length === 0 && products.length === 0;
  return (
    <section aria-label="What the code is for" className="rounded-md border border-line p-4">
      <p className="font-semibold">
        {isEverything ? 'For the whole order' : 'Only for the chosen categories and products'}
      </p>
      <p className="text-sm text-ink-soft">Choose categories or products to restrict it.</p>
      <Pills
        label="Categories"
        names={[...new Set([...categories, ...known])]}
        chosen={categories}
        onChange={(next) => onChange({ categories: next })}
      />
      <ProductChoice chosen={products} onChange={(next) => onChange({ products: next })} />
      {error && <p className="mt-1.5 text-sm text-chilli">{error}</p>}
    </section>
  );
}

/** Chosen products first, then those that match the search. */
function ProductChoice({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const [search, setSearch] = useState('');
  const { data } = useQuery(productChoiceQuery(search.trim()));
  const names = new Map((data?.products ?? []).map(({ _id, product_name }) => [_id, product_name]));
  const shown = [...new Set([...chosen, ...names.keys()])];
  return (
    <div className="mt-4">
      <Field
        label="Products"
        type="search"
        placeholder="Search by name"
        autoComplete="off"
        value={search}
        // Enter would submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Pills label="Products" names={shown} labels={names} chosen={chosen} onChange={onChange} />
    </div>
  );
}

type PillProps = {
  label: string;
  names: string[];
  /** What is shown for a name, where it differs. */
  labels?: Map<string, string>;
  chosen: string[];
  onChange: (chosen: string[]) => void;
};

function Pills({ label, names, labels, chosen, onChange }: PillProps) {
  if (names.length === 0) return null;
  return (
    <fieldset className="mt-3 flex flex-wrap gap-2">
      <legend className={labels ? 'sr-only' : 'mb-1.5 text-[0.9375rem] font-semibold'}>{label}</legend>
      {names.map((name) => (
        <label
          key={name}
          className="relative inline-flex min-h-11 cursor-pointer items-center rounded-full border border-line-strong px-4 text-[0.9375rem] transition hover:bg-paper-deep has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-chilli"
        >
          <input
            type="checkbox"
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
          {labels?.get(name) ?? name}
        </label>
      ))}
    </fieldset>
  );
}
