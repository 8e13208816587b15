// Whether the shop answered the last requests. src/app/reconnect.ts keeps it up to date.

let isAway = false;
const listeners = new Set<() => void>();

export const isShopAway = () => isAway;

export function setShopAway(next: boolean): void {
  isAway = next;
  for (const listener of listeners) listener();
}

export function onShopAway(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
