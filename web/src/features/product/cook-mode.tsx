// The recipe while cooking: one large step at a time, the next one below it, quantities for 2, 4 or 8 people. The screen
// stays awake where the browser can do that.
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Product } from '~/api/types';
import { withUnits } from '~/lib/unbroken';
import { Button, IconButton } from '~/ui/button';
import { useModal } from '~/ui/dialog/dialog';
import { Icon } from '~/ui/graphics/more-icons';
import { nearestPeople, PEOPLE, scaleStep, servingsOf } from './recipe-scale';

type Props = { product: Pick<Product, 'product_name' | 'recipe'>; open: boolean; onClose: () => void };

export default function CookMode({ product, open, onClose }: Props) {
  const { ref, titleId, handlers } = useModal(open, onClose);
  return (
    <dialog ref={ref} className="modal cook-mode" aria-labelledby={titleId} {...handlers}>
      {open && <Steps product={product} titleId={titleId} onClose={onClose} />}
    </dialog>
  );
}

function Steps({ product, titleId, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const { recipe, product_name } = product;
  const servings = servingsOf(recipe);
  const [people, setPeople] = useState(servings && nearestPeople(servings));
  const [at, setAt] = useState(0);
  useWakeLock();

  const steps = recipe.map((step) => withUnits(servings && people ? scaleStep(step, servings, people) : step));
  const isLast = at === steps.length - 1;
  const go = (to: number) => setAt(Math.min(steps.length - 1, Math.max(0, to)));
  const onKeyDown = (event: KeyboardEvent) => {
    // The arrow keys of the choice of people choose people.
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === 'ArrowRight') go(at + 1);
    else if (event.key === 'ArrowLeft') go(at - 1);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are an addition to the buttons below
    <div className="flex h-full flex-col" onKeyDown={onKeyDown}>
      <header className="flex items-center gap-4 border-b border-line px-4 py-2 sm:px-8">
        <h2 id={titleId} className="min-w-0 flex-1 truncate text-xl sm:text-heading">
          {product_name}
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      {people && (
        <fieldset className="flex items-center justify-center gap-2 px-4 pt-4">
          <legend className="sr-only">Quantities for</legend>
          {PEOPLE.map((count) => (
            <label
              key={count}
              className="flex min-h-11 cursor-pointer items-center rounded-full border-2 border-line-strong px-4 font-semibold has-checked:border-chilli-fill has-checked:bg-chilli-fill has-checked:text-on-chilli has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-turmeric"
            >
              <input
                type="radio"
                name="people"
                className="sr-only"
                checked={people === count}
                onChange={() => setPeople(count)}
              />
              {count} people
            </label>
          ))}
        </fieldset>
      )}
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 py-6 sm:px-12">
        <div className="mx-auto my-auto w-full max-w-4xl">
          <div aria-live="polite">
            <p className="eyebrow text-chilli">
              Step {at + 1} of {steps.length}
            </p>
            <p className="mt-3 text-[clamp(1.625rem,1rem+2.6vw,3rem)] leading-snug font-medium">{steps[at]}</p>
          </div>
          {!isLast && (
            <div className="mt-8 border-t border-line pt-5 text-ink-soft">
              <p className="eyebrow">Next</p>
              <p className="mt-1 line-clamp-3 text-lg">{steps[at + 1]}</p>
            </div>
          )}
        </div>
      </div>
      <footer className="flex gap-3 border-t border-line px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:px-8">
        <Button
          variant="secondary"
          size="lg"
          className="min-h-16 flex-1"
          disabled={at === 0}
          onClick={() => go(at - 1)}
        >
          <Icon name="left" className="size-5" />
          Previous
        </Button>
        <Button size="lg" className="min-h-16 flex-[2]" onClick={() => (isLast ? onClose() : go(at + 1))}>
          {isLast ? 'Done' : 'Next step'}
          <Icon name={isLast ? 'check' : 'right'} className="size-5" />
        </Button>
      </footer>
    </div>
  );
}

/** Keeps the screen on. The browser ends the lock when the page is hidden, so it is requested again. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const request = async () => {
      if (document.hidden) return;
      // Missing in some browsers, and refused when the battery is low: the recipe works without it.
      const requested = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) void requested?.release();
      else lock = requested;
    };
    void request();
    document.addEventListener('visibilitychange', request);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, []);
}
