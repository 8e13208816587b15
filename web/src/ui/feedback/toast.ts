// Toasts: at most 20; plain and error for 4 s, success 2 s, loading until it is replaced. app/layout/toaster.tsx shows
// them and removes them in time.
import { useSyncExternalStore } from 'react';

export type ToastType = 'blank' | 'success' | 'error' | 'loading';
export type Toast = {
  id: string;
  type: ToastType;
  message: string;
  createdAt: number;
  /** How long its clock was stopped, in ms. */
  pausedMs: number;
  /** False while it fades out. */
  visible: boolean;
};
/** A toast with the same id replaces the one that is shown. */
type Options = { id?: string };

const MAX_TOASTS = 20;
export const TOAST_MS: Record<ToastType, number> = {
  blank: 4000,
  error: 4000,
  success: 2000,
  loading: Number.POSITIVE_INFINITY,
};

const NONE: readonly Toast[] = [];
let toasts = NONE;
let count = 0;
const listeners = new Set<() => void>();

export function setToasts(change: (toasts: readonly Toast[]) => readonly Toast[]): void {
  toasts = change(toasts);
  for (const listener of listeners) listener();
}

const show =
  (type: ToastType) =>
  (message: string, { id = `toast-${++count}` }: Options = {}): string => {
    const next: Toast = { id, type, message, createdAt: Date.now(), pausedMs: 0, visible: true };
    setToasts((now) =>
      now.some((one) => one.id === id)
        ? now.map((one) => (one.id === id ? next : one))
        : [next, ...now].slice(0, MAX_TOASTS),
    );
    return id;
  };

export const toast = Object.assign(show('blank'), {
  success: show('success'),
  error: show('error'),
  loading: show('loading'),
  /** Fades it out; without an id, all. */
  dismiss: (id?: string) =>
    setToasts((now) => now.map((one) => (id === undefined || one.id === id ? { ...one, visible: false } : one))),
  /** At once; without an id, all. */
  remove: (id?: string) => setToasts((now) => now.filter((one) => id !== undefined && one.id !== id)),
});

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
