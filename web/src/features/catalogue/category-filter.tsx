// The category checkboxes: beside the list on a wide screen, in a slide-over with Clear on a phone.
import { useState } from 'react';
import { plural } from '~/lib/format';
import { Button } from '~/ui/button';
import { Sheet } from '~/ui/dialog/dialog';
import { Icon } from '~/ui/graphics/more-icons';
import { type CategoryCount, isSelected, toggleCategory } from './filtering';

type Props = { categories: CategoryCount[]; chosen: string[]; onChange: (chosen: string[]) => void };

export function FilterSidebar(props: Props) {
  return (
    <aside aria-label="Filter by category" className="sticky top-36 w-56 shrink-0 self-start max-lg:hidden">
      <div className="flex min-h-11 items-center justify-between">
        <h2 className="text-xl">Categories</h2>
        {props.chosen.length > 0 && (
          <button type="button" className="link min-h-11 font-semibold text-chilli" onClick={() => props.onChange([])}>
            Clear
          </button>
        )}
      </div>
      <Checkboxes {...props} />
    </aside>
  );
}

export function FilterSlideOver({ found, ...props }: Props & { found: number }) {
  const [open, setOpen] = useState(false);
  const { chosen, onChange } = props;
  return (
    <div className="lg:hidden">
      <Button variant="secondary" size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="filter" className="size-5" />
        Filter{chosen.length > 0 ? ` (${chosen.length})` : ''}
      </Button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="Categories"
        side="left"
        footer={
          <div className="flex gap-3">
            <Button variant="secondary" className="flex-1" disabled={chosen.length === 0} onClick={() => onChange([])}>
              Clear
            </Button>
            <Button className="flex-1" onClick={() => setOpen(false)}>
              Show {plural(found, 'product')}
            </Button>
          </div>
        }
      >
        <Checkboxes {...props} />
      </Sheet>
    </div>
  );
}

function Checkboxes({ categories, chosen, onChange }: Props) {
  return (
    <ul>
      {categories.map(({ name, count }) => (
        <li key={name}>
          <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md font-medium hover:text-chilli">
            <input
              type="checkbox"
              checked={isSelected(chosen, name)}
              aria-label={name}
              aria-description={plural(count, 'product')}
              onChange={() => onChange(toggleCategory(chosen, name))}
              className="size-5 shrink-0 accent-chilli-fill"
            />
            <span className="grow">{name}</span>
            <span aria-hidden="true" className="text-sm text-ink-soft tabular-nums">
              {count}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}
