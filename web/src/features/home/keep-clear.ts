// Hides a floating element while it would cover text or controls of the page below it.

/** Points of the element, across and down. A line of text is wide and low, so there are more of them down. */
const ACROSS = [0, 0.5, 1];
const DOWN = [0, 0.25, 0.5, 0.75, 1];
/** While the page scrolls. Finding what is below takes a slow phone several milliseconds. */
const INTERVAL_MS = 150;
const CONTROLS = 'a, button, input, select, textarea, label, summary';

/** Sets `data-away` while something is below. Returns a function that stops it. */
export function keepClear(element: HTMLElement): () => void {
  let timer = 0;
  const update = () => {
    timer = 0;
    element.toggleAttribute('data-away', coversContent(element));
  };
  const schedule = () => {
    timer ||= window.setTimeout(update, INTERVAL_MS);
  };
  const size = new ResizeObserver(schedule);
  size.observe(document.body);
  addEventListener('scroll', schedule, { passive: true });
  addEventListener('resize', schedule);
  schedule();
  return () => {
    clearTimeout(timer);
    size.disconnect();
    removeEventListener('scroll', schedule);
    removeEventListener('resize', schedule);
  };
}

export function coversContent(element: HTMLElement): boolean {
  const box = element.getBoundingClientRect();
  const below = new Set<Element>();
  for (const right of ACROSS) {
    for (const down of DOWN) {
      const hit = document
        .elementsFromPoint(box.left + right * (box.width - 1), box.top + down * (box.height - 1))
        .find((each) => !element.contains(each));
      if (hit) below.add(hit);
    }
  }
  return [...below].some((each) => each.closest(CONTROLS) !== null || hasTextIn(each, box));
}

function hasTextIn(element: Element, box: DOMRect): boolean {
  return [...element.childNodes].some((node) => {
    if (node.nodeType !== Node.TEXT_NODE || !node.nodeValue?.trim()) return false;
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].some(
      (text) => text.left < box.right && text.right > box.left && text.top < box.bottom && text.bottom > box.top,
    );
  });
}
