// The choice of one to five stars: radio buttons, so that arrow keys work and screen readers name each choice.
import { useId } from 'react';
import { plural } from '~/lib/plural';

const WORDS = ['', 'Not for me', 'Could be better', 'Good', 'Very good', 'Excellent'];

type Props = { value: number; disabled: boolean; error?: string; onChange: (stars: number) => void };

export function StarInput({ value, disabled, error, onChange }: Props) {
  const name = useId();
  const noteId = useId();
  return (
    <fieldset disabled={disabled} aria-describedby={noteId}>
      <legend className="mb-1.5 text-[0.9375rem] font-semibold">
        Your stars{' '}
        <span className="text-chilli" aria-hidden="true">
          *
        </span>
      </legend>
      <div className="flex items-center gap-1">
        {[1, 2, 3, 4, 5].map((stars) => (
          <label
            key={stars}
            className="relative grid size-12 place-items-center rounded-md transition hover:bg-paper-deep has-focus-visible:outline-3 has-focus-visible:outline-chilli"
          >
            <input
              type="radio"
              name={name}
              value={stars}
              aria-label={plural(stars, 'star')}
              checked={stars === value}
              data-invalid={stars === 1 && error ? true : undefined}
              onChange={() => onChange(stars)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <svg
              viewBox="0 0 20 20"
              aria-hidden="true"
              className={`size-9 transition ${stars <= value ? 'fill-[var(--star)]' : 'fill-[var(--star-empty)]'}`}
            >
              <path d="M10 1.800l2.500 5.200 5.700.8-4.100 4 1 5.700-5.100-2.700-5.100 2.700 1-5.700-4.100-4 5.700-.8z" />
            </svg>
          </label>
        ))}
      </div>
      <p id={noteId} className={`mt-1 min-h-6 text-sm ${error ? 'text-chilli' : 'text-ink-soft'}`}>
        {error || WORDS[value]}
      </p>
    </fieldset>
  );
}
