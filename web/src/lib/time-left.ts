// Deadlines: when they are, in India, and how long that is. Not in format.ts, which every page loads.
import { useEffect, useState, useSyncExternalStore } from 'react';
import { formatDate, formatDateTime } from './format';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** '3 h 12 min', '12 min', 'less than a minute'; empty when the time is over. */
export function formatTimeLeft(ms: number): string {
  if (ms <= 0) return '';
  if (ms < MINUTE_MS) return 'less than a minute';
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  return [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`].filter(Boolean).join(' ');
}

/** '11:59 PM IST today', on another day '11:59 PM IST on 14 Nov 2026'. */
export function formatDeadline(iso: string, nowMs: number): string {
  const time = formatDateTime(iso).split(', ')[1]?.toUpperCase();
  const day = formatDate(iso);
  return `${time} IST ${day === formatDate(new Date(nowMs).toISOString()) ? 'today' : `on ${day}`}`;
}

const TICK_MS = 10_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function update() {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (!timer) {
    now = Date.now();
    timer = setInterval(update, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, every ten seconds. For small components: they render again with it. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  );
}

/** Whether a deadline of the next days is over. Renders again only when it is. */
export function useIsOver(deadline: string | null): boolean {
  const [over, setOver] = useState(() => isOver(deadline));
  useEffect(() => {
    const check = () => setOver(isOver(deadline));
    check();
    const leftMs = deadline ? Date.parse(deadline) - Date.now() : 0;
    if (leftMs < 0) return;
    const timer = setTimeout(check, leftMs + 1000);
    return () => clearTimeout(timer);
  }, [deadline]);
  return over;
}

const isOver = (deadline: string | null): boolean => deadline === null || Date.now() > Date.parse(deadline);
