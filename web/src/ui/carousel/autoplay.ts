// The autoplay timer of a carousel. Intervals run from the start of one slide to the start of the next, so that the
// duration of an animation does not add to them.

/** Why a carousel waits. It moves on when there is no reason left. */
export type HoldReason = 'stopped' | 'hover' | 'focus' | 'touch' | 'hidden' | 'unseen';

export type AutoplayTiming = {
  /** Until the first slide is left, in ms. */
  firstMs: number;
  /** From the start of one slide to the start of the next, in ms. */
  everyMs: number;
};

export type Autoplay = {
  hold: (reason: HoldReason) => void;
  release: (reason: HoldReason) => void;
  /** A slide was chosen by hand: it gets its whole time. */
  restart: () => void;
  destroy: () => void;
};

export function createAutoplay({ firstMs, everyMs }: AutoplayTiming, advance: () => void): Autoplay {
  const reasons = new Set<HoldReason>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = 0;
  let leftMs = firstMs;

  const wait = () => {
    timer = setTimeout(tick, Math.max(0, dueAt - Date.now()));
  };
  const tick = () => {
    // From the time that was due, not from now: late timers must not add up. After a long sleep, from now.
    dueAt = Math.max(dueAt, Date.now() - everyMs / 2) + everyMs;
    wait();
    advance();
  };
  const run = () => {
    dueAt = Date.now() + leftMs;
    wait();
  };
  run();

  return {
    hold(reason) {
      if (reasons.size === 0) {
        clearTimeout(timer);
        leftMs = Math.max(0, dueAt - Date.now());
      }
      reasons.add(reason);
    },
    release(reason) {
      if (reasons.delete(reason) && reasons.size === 0) run();
    },
    restart() {
      leftMs = everyMs;
      if (reasons.size > 0) return;
      clearTimeout(timer);
      run();
    },
    destroy() {
      reasons.add('stopped');
      clearTimeout(timer);
    },
  };
}
