// Hides a floating element while it would cover text or controls of the page below it.

const SAMPLES = [0, 0.25, 0.5, 0.75, 1];
const CONTROLS = 'a, button, input, select, textarea, label, summary';

/** Sets `data-away` while something is below. Returns a function that stops it. */
export function keepClear(element: HTMLElement): () => void {
  let frame = 0;
  const update = () => {
    frame = 0;
    element.toggleAttribute('data-away', coversContent(element));
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(update);
  };
  const size = new ResizeObserver(schedule);
  size.observe(document.body);
  addEventListener('scroll', schedule, { passive: true });
  addEventListener('resize', schedule);
  schedule();
  return () => {
    cancelAnimationFrame(frame);
    size.disconnect();
    removeEventListener('scroll', schedule);
    removeEventListener('resize', schedule);
  };
}

export function coversContent(element: HTMLElement): boolean {
  const box = element.getBoundingClientRect();
  const below = new Set<Element>();
  for (const right of SAMPLES) {
    for (const down of SAMPLES) {
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
