// Decides when a part of a server-rendered page is hydrated: when it is seen or touched. Until then its HTML is shown as
// it is, and its links work.

/** A thenable that React's `use` reads synchronously once it is open. */
export type HydrationGate = {
  status: 'pending' | 'fulfilled';
  value: undefined;
  then: (resolve: () => void) => void;
  open: () => void;
  isHydrated: boolean;
  setHydrated: () => void;
};

type Click = { button: HTMLElement; event: Event };
type Part = { element: Element; gate: HydrationGate; clicks: Click[] };

/** `Event.NONE` */
const NOT_DISPATCHED = 0;

/** The parts that are not hydrated yet. */
const parts = new Map<HydrationGate, Part>();
let allOpen = false;
let observer: IntersectionObserver | undefined;

export function createGate(): HydrationGate {
  const resolvers = new Set<() => void>();
  const gate: HydrationGate = {
    status: allOpen ? 'fulfilled' : 'pending',
    value: undefined,
    // biome-ignore lint/suspicious/noThenProperty: React waits for it
    then: (resolve) => {
      if (gate.status === 'fulfilled') resolve();
      else resolvers.add(resolve);
    },
    open: () => {
      if (gate.status === 'fulfilled') return;
      gate.status = 'fulfilled';
      for (const resolve of resolvers) resolve();
    },
    isHydrated: false,
    setHydrated: () => {
      gate.isHydrated = true;
      const part = parts.get(gate);
      parts.delete(gate);
      if (!part) return;
      observer?.unobserve(part.element);
      // An event that is still being dispatched has made React hydrate the part, and React delivers it.
      for (const { button, event } of part.clicks) if (event.eventPhase === NOT_DISPATCHED) button.click();
    },
  };
  return gate;
}

/** Opens the gate when the element of its part comes into view and the thread is free. */
export function openWhenSeen(element: Element, gate: HydrationGate): () => void {
  if (gate.isHydrated) return () => undefined;
  parts.set(gate, { element, gate, clicks: [] });
  observer ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) openWhenIdle(target);
  });
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    parts.delete(gate);
  };
}

function openWhenIdle(element: Element) {
  observer?.unobserve(element);
  for (const part of parts.values()) {
    if (part.element !== element) continue;
    // One callback for each part: the browser may draw and take input between them. Safari has no requestIdleCallback.
    if (window.requestIdleCallback) window.requestIdleCallback(() => part.gate.open(), { timeout: 300 });
    else setTimeout(() => part.gate.open(), 30);
  }
}

/** Opens the gate of the part that contains a control, at once. */
export function openIslandOf(target: Node): void {
  for (const { element, gate } of parts.values()) if (element.contains(target)) gate.open();
}

/**
 * Called before a click reaches React. It hydrates the part that was clicked first, at once; where it could not, because the
 * code of the part is still being loaded, it drops the click, which is repeated when the part is hydrated.
 */
export function keepClick(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null;
  if (!button) return;
  for (const { element, clicks } of parts.values()) if (element.contains(button)) clicks.push({ button, event });
}

/** Before the app renders something new: what is not hydrated by then would be rendered anew. */
export function openAllIslands(): void {
  allOpen = true;
  for (const { gate } of parts.values()) gate.open();
}
