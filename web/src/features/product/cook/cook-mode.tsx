// The recipe while cooking: one large step at a time with timers for its times, the next one below it, what to measure out,
// quantities for 2, 4 or 8 people. The screen stays on where the browser can do that.
import { type KeyboardEvent, useState } from 'react';
import type { Product } from '~/api/types';
import { withUnits } from '~/lib/unbroken';
import { Button, IconButton } from '~/ui/button';
import { useModal } from '~/ui/dialog/dialog';
import { toast } from '~/ui/feedback/toast';
import { Icon } from '~/ui/graphics/more-icons';
import { prepareAlarm, ring } from './alarm';
import { clockText, durationsOf } from './durations';
import { measuredIn } from './measured';
import { nearestPeople, PEOPLE, scaleStep, servingsOf } from './recipe-scale';
import { type TimerNow, timerKey, useTimers } from './timers';
import { useWakeLock } from './wake-lock';

type Props = { product: Pick<Product, 'product_name' | 'recipe'>; open: boolean; onClose: () => void };

export default function CookMode({ product, open, onClose }: Props) {
  const { ref, titleId, handlers } = useModal(open, onClose);
  const timers = useTimers((timer) => {
    ring();
    if (!open) toast(`${product.product_name}, step ${timer.step}: ${timer.text} over`);
  });
  return (
    <dialog ref={ref} className="modal cook-mode" aria-labelledby={titleId} {...handlers}>
      {open && <Steps product={product} titleId={titleId} timers={timers} onClose={onClose} />}
    </dialog>
  );
}

type StepsProps = Omit<Props, 'open'> & { titleId: string; timers: ReturnType<typeof useTimers> };

function Steps({ product, titleId, timers, onClose }: StepsProps) {
  const { recipe, product_name } = product;
  const servings = servingsOf(recipe);
  const [people, setPeople] = useState(servings && nearestPeople(servings));
  const [at, setAt] = useState(0);
  useWakeLock();

  const steps = recipe.map((step) => (servings && people ? scaleStep(step, servings, people) : step));
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
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 py-4 sm:px-12">
        <Ingredients steps={steps} />
        <div className="mx-auto my-auto w-full max-w-4xl py-4">
          <div aria-live="polite">
            <p className="eyebrow text-chilli">
              Step {at + 1} of {steps.length}
            </p>
            <p className="mt-3 text-[clamp(1.625rem,1rem+2.6vw,3rem)] leading-snug font-medium">
              {withUnits(steps[at] ?? '')}
            </p>
          </div>
          {durationsOf(steps[at] ?? '').length > 0 && (
            <div className="mt-6 flex flex-wrap gap-3">
              {durationsOf(steps[at] ?? '').map((duration) => (
                <Button
                  key={duration.seconds}
                  variant="secondary"
                  disabled={timers.timers.some(({ key }) => key === timerKey(at + 1, duration))}
                  onClick={() => {
                    prepareAlarm();
                    timers.start(at + 1, duration);
                  }}
                >
                  <Icon name="clock" className="size-5" />
                  Timer: {duration.text}
                </Button>
              ))}
            </div>
          )}
          {!isLast && (
            <div className="mt-8 border-t border-line pt-5 text-ink-soft">
              <p className="eyebrow">Next</p>
              <p className="mt-1 line-clamp-3 text-lg">{withUnits(steps[at + 1] ?? '')}</p>
            </div>
          )}
        </div>
      </div>
      <Timers timers={timers.timers} onStop={timers.stop} />
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

/** What the steps measure out, to be ticked off. A tick stays with its place when the quantities change. */
function Ingredients({ steps }: { steps: string[] }) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const items = steps.flatMap(measuredIn);
  if (items.length === 0) return null;
  const toggle = (at: number) => {
    const next = new Set(ticked);
    if (!next.delete(at)) next.add(at);
    setTicked(next);
  };
  return (
    <details className="group mx-auto w-full max-w-4xl rounded-md border border-line bg-surface">
      <summary className="flex min-h-11 items-center justify-between gap-4 px-4 font-semibold">
        <span className="flex items-center gap-2">
          <Icon name="right" className="size-4 transition group-open:rotate-90" />
          Ingredients
        </span>
        <span className="text-ink-soft tabular-nums">
          {ticked.size} of {items.length}
        </span>
      </summary>
      <ul className="border-t border-line px-4 py-2 sm:columns-2">
        {items.map((item, at) => (
          <li key={at} className="break-inside-avoid">
            <label className="flex min-h-11 cursor-pointer items-center gap-3 text-lg has-checked:text-ink-soft has-checked:line-through">
              <input
                type="checkbox"
                className="size-5 accent-chilli-fill"
                checked={ticked.has(at)}
                onChange={() => toggle(at)}
              />
              {withUnits(item)}
            </label>
          </li>
        ))}
      </ul>
      <p className="px-4 pb-3 text-sm text-ink-soft">What the steps measure out. They may name more, such as herbs.</p>
    </details>
  );
}

function Timers({ timers, onStop }: { timers: TimerNow[]; onStop: (key: string) => void }) {
  const over = timers.filter(({ secondsLeft }) => secondsLeft === 0);
  return (
    <>
      <p role="alert" className="sr-only">
        {over.map(({ step, text }) => `Step ${step}: ${text} over.`).join(' ')}
      </p>
      {timers.length > 0 && (
        <ul aria-label="Timers" className="flex flex-wrap gap-2 border-t border-line px-4 py-2 sm:px-8">
          {timers.map(({ key, step, text, secondsLeft }) => (
            <li
              key={key}
              className={`flex items-center gap-3 rounded-full pl-4 ${secondsLeft === 0 ? 'bg-chilli-fill text-on-chilli' : 'bg-turmeric-wash'}`}
            >
              <span>Step {step}</span>
              <b role="timer" className="text-lg tabular-nums">
                {secondsLeft === 0 ? `${text} over` : clockText(secondsLeft)}
              </b>
              <IconButton label={`Stop the timer of step ${step}: ${text}`} onClick={() => onStop(key)}>
                <Icon name="close" className="size-5" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
