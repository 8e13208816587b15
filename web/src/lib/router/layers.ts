// Open layers (dialogs, sheets, an enlarged picture) as entries of the history, so that Back closes the topmost one and
// stays on the page.
//
// The entry of a layer is a copy of the page's entry with a depth. Entries are not tied to a layer: there are as many as
// layers are open, so one layer can replace another. Whatever closes a layer takes its entry back. An entry that no layer
// stands for (after a reload, or Forward) is left again at once.
import { useEffect, useEffectEvent } from 'react';

/** What the router and the layers keep in an entry of the history. */
export type HistoryEntry = {
  key?: string;
  state?: unknown;
  /** Of an entry of a layer: how many layers are open with it. */
  depth?: number;
  /** Of an entry of a layer: the key of the page's entry below it. */
  below?: string;
};

type Layer = { close: () => void };

/** Browsers answer within milliseconds. If one does not, for example because the entry was dropped, the app goes on. */
const MAX_TRAVERSAL_MS = 1000;

let open: readonly Layer[] = [];
/** Set while the browser goes back by our request, which it does later. */
let traversal: ReturnType<typeof setTimeout> | undefined;
let waiting: (() => void)[] = [];
let isSyncDue = false;

export const historyEntry = () => (window.history.state ?? {}) as HistoryEntry;
export const layerDepth = () => historyEntry().depth ?? 0;

/** Back calls `onClose` while the layer is open. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const layer = { close: () => close() };
    open = [...open, layer];
    syncSoon();
    return () => {
      open = open.filter((other) => other !== layer);
      syncSoon();
    };
  }, [isOpen]);
}

/** Calls back when the history can be changed: not while the browser is going back. */
export function whenSettled(act: () => void): void {
  if (traversal === undefined) act();
  else waiting.push(act);
}

/** Makes as many entries as layers are open; later, because one layer may be closed and another one opened together. */
export function syncSoon(): void {
  if (isSyncDue) return;
  isSyncDue = true;
  queueMicrotask(() => {
    isSyncDue = false;
    if (traversal === undefined) sync();
  });
}

function sync() {
  const depth = layerDepth();
  const { key, state, below = key } = historyEntry();
  for (let next = depth + 1; next <= open.length; next++)
    window.history.pushState({ key, state, below, depth: next } satisfies HistoryEntry, '');
  if (depth <= open.length) return;
  // An entry of before a reload, whose URL was changed while its layer was open.
  if (key !== below) changed ??= { below, key, state, url: window.location.href };
  traversal = setTimeout(() => endTraversal(), MAX_TRAVERSAL_MS);
  window.history.go(open.length - depth);
}

function endTraversal() {
  clearTimeout(traversal);
  traversal = undefined;
  const due = waiting;
  waiting = [];
  for (const act of due) act();
}

/** What became of the page's entry while a layer was above it. It is written when the browser is there again. */
let changed: { below: string | undefined; key: string | undefined; state: unknown; url: string } | undefined;

/** The router's `replaceState`: the entry stays one of a layer. */
export function replaceEntry(entry: HistoryEntry, url: string): void {
  const { depth, below } = historyEntry();
  window.history.replaceState(depth ? ({ ...entry, depth, below } satisfies HistoryEntry) : entry, '', url);
  if (depth) changed = { below, key: entry.key, state: entry.state, url };
}

/**
 * The router's `pushState`. A page that is opened from a layer takes the place of the layer's entry, so that Back leads to
 * the page below. On the same page the layer may stay open, and then gets another entry.
 */
export function pushEntry(entry: HistoryEntry, url: string): void {
  const from = window.location.pathname;
  if (layerDepth() === 0) window.history.pushState(entry, '', url);
  else {
    window.history.replaceState(entry, '', url);
    if (window.location.pathname === from) syncSoon();
  }
}

/** The browser shows another entry. */
export function onPop(): void {
  const isOurs = traversal !== undefined;
  const { key, depth = 0 } = historyEntry();
  if (changed && changed.below === key)
    window.history.replaceState({ ...historyEntry(), key: changed.key, state: changed.state }, '', changed.url);
  if (depth === 0) changed = undefined;
  if (isOurs) endTraversal();
  else {
    const closed = open.slice(depth);
    open = open.slice(0, depth);
    for (const layer of closed.reverse()) layer.close();
  }
  syncSoon();
}

/** Opens a page outside the app. An entry of a layer does not stay behind. */
export function leaveTo(url: string): void {
  if (layerDepth() > 0) window.location.replace(url);
  else window.location.assign(url);
}
