// Swiping with a finger or a mouse, for carousels. The page still scrolls vertically (touch-action: pan-y).

/** Below this a press is a tap. */
const THRESHOLD_PX = 5;

export type SwipeHandlers = {
  pointerTypes?: readonly string[];
  onMove: (dx: number) => void;
  /** `dx` is 0 where the browser took the gesture over, for scrolling. */
  onEnd: (dx: number) => void;
};

export function watchSwipes(element: HTMLElement, { pointerTypes, onMove, onEnd }: SwipeHandlers): () => void {
  let startX = 0;
  let pointer: number | undefined;
  let swiping = false;

  const onDown = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0 || (pointerTypes && !pointerTypes.includes(event.pointerType))) return;
    pointer = event.pointerId;
    startX = event.clientX;
    swiping = false;
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return;
    const dx = event.clientX - startX;
    if (!swiping && Math.abs(dx) > THRESHOLD_PX) {
      swiping = true;
      element.setPointerCapture(event.pointerId);
    }
    if (swiping) onMove(dx);
  };
  const end = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return;
    pointer = undefined;
    if (swiping) onEnd(event.type === 'pointerup' ? event.clientX - startX : 0);
  };
  // The click that follows a swipe is not meant for the link under it.
  const onClick = (event: MouseEvent) => {
    if (!swiping) return;
    swiping = false;
    event.preventDefault();
    event.stopPropagation();
  };
  const onDragStart = (event: DragEvent) => event.preventDefault();

  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
  element.addEventListener('click', onClick, true);
  element.addEventListener('dragstart', onDragStart);
  return () => {
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', end);
    element.removeEventListener('pointercancel', end);
    element.removeEventListener('click', onClick, true);
    element.removeEventListener('dragstart', onDragStart);
  };
}
