// Timers of the cook mode. They go on when it is closed, as long as the product's page is open.
import { useEffect, useRef, useState } from 'react';
import type { Duration } from './durations';

export type Timer = { key: string; step: number; text: string; endsAtMs: number };
export type TimerNow = Timer & { secondsLeft: number };

const TICK_MS = 250;

export const timerKey = (step: number, { seconds }: Duration) => `${step} ${seconds}`;

/** `onOver` is called once for each timer. */
export function useTimers(onOver: (timer: Timer) => void) {
  const [timers, setTimers] = useState<Timer[]>([]);
  const [nowMs, setNowMs] = useState(0);
  const [told] = useState(() => new Set<Timer>());
  const tell = useRef(onOver);
  const running = timers.filter(({ endsAtMs }) => endsAtMs > nowMs);

  const isRunning = running.length > 0;
  useEffect(() => {
    if (!isRunning) return;
    const tick = () => setNowMs(Date.now());
    const interval = setInterval(tick, TICK_MS);
    // A page that is hidden is called seldom.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(interval);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [isRunning]);

  useEffect(() => {
    tell.current = onOver;
  });
  useEffect(() => {
    for (const timer of timers) {
      if (timer.endsAtMs > nowMs || told.has(timer)) continue;
      told.add(timer);
      tell.current(timer);
    }
  }, [timers, nowMs, told]);

  return {
    timers: timers.map((timer) => ({
      ...timer,
      secondsLeft: Math.max(0, Math.ceil((timer.endsAtMs - nowMs) / 1000)),
    })),
    start: (step: number, duration: Duration) => {
      const startMs = Date.now();
      const key = timerKey(step, duration);
      setNowMs(startMs);
      const timer = { key, step, text: duration.text, endsAtMs: startMs + duration.seconds * 1000 };
      setTimers((all) => [...all.filter((one) => one.key !== key), timer]);
    },
    stop: (key: string) => setTimers((all) => all.filter((one) => one.key !== key)),
  };
}
