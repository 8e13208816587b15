// A row of cards that scrolls natively, one card at a time: arrows, dragging with a mouse, and whether it is at an end.
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { watchSwipes } from './swipe';

const SLIDE_MS = 300;
/** Positions are rounded to whole pixels. */
const ROUNDING_PX = 2;

export type CardRow = {
  ref: RefObject<HTMLDivElement | null>;
  /** The first card in view. */
  index: number;
  atStart: boolean;
  atEnd: boolean;
  previous: () => void;
  next: () => void;
  goTo: (index: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

export function useCardRow(): CardRow {
  const ref = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState({ index: 0, atStart: true, atEnd: false });

  useEffect(() => {
    const row = ref.current;
    if (!row) return;
    const report = () => {
      const { scrollLeft, scrollWidth, clientWidth } = row;
      const atStart = scrollLeft <= ROUNDING_PX;
      const atEnd = scrollLeft >= scrollWidth - clientWidth - ROUNDING_PX;
      const index = firstInView(row);
      setPosition((now) =>
        now.index === index && now.atStart === atStart && now.atEnd === atEnd ? now : { index, atStart, atEnd },
      );
      for (const [at, slide] of slidesOf(row).entries()) slide.toggleAttribute('data-active', at === index);
    };
    report();
    let startedAt = 0;
    const unwatch = watchSwipes(row, {
      pointerTypes: ['mouse'],
      onMove: (dx) => {
        if (!row.style.scrollSnapType) startedAt = row.scrollLeft;
        row.style.scrollSnapType = 'none';
        row.scrollLeft = startedAt - dx;
      },
      onEnd: () => scrollToSlide(row, firstInView(row)),
    });
    row.addEventListener('scroll', report, { passive: true });
    const observer = new ResizeObserver(report);
    observer.observe(row);
    row.dataset.started = '';
    return () => {
      unwatch();
      row.removeEventListener('scroll', report);
      observer.disconnect();
    };
  }, []);

  const move = (by: number) => {
    if (ref.current) scrollToSlide(ref.current, firstInView(ref.current) + by);
  };
  return {
    ref,
    ...position,
    previous: () => move(-1),
    next: () => move(1),
    goTo: (index) => {
      if (ref.current) scrollToSlide(ref.current, index);
    },
    onKeyDown: (event) => {
      if (event.key === 'ArrowRight') move(1);
      else if (event.key === 'ArrowLeft') move(-1);
      else return;
      event.preventDefault();
    },
  };
}

const slidesOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>('.carousel-slide')];

/** From the left edge of one card to that of the next. */
function pitchOf(row: HTMLElement): number {
  const [first, second] = slidesOf(row);
  return first && second ? second.offsetLeft - first.offsetLeft : row.clientWidth;
}

const firstInView = (row: HTMLElement) => Math.round((targets.get(row) ?? row.scrollLeft) / pitchOf(row));

/** Where rows are scrolling to: a second click during the animation counts from there. */
const targets = new WeakMap<HTMLElement, number>();

function scrollToSlide(row: HTMLElement, to: number) {
  const from = row.scrollLeft;
  const max = row.scrollWidth - row.clientWidth;
  const target = Math.min(max, Math.max(0, to * pitchOf(row)));
  targets.set(row, target);
  // Snapping would pull the row back at every step.
  row.style.scrollSnapType = 'none';
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const start = performance.now();
  const frame = (now: number) => {
    if (targets.get(row) !== target) return;
    const part = still ? 1 : Math.min(1, Math.max(0, (now - start) / SLIDE_MS));
    row.scrollLeft = from + (target - from) * (1 - (1 - part) ** 3);
    if (part < 1) return requestAnimationFrame(frame);
    targets.delete(row);
    row.style.scrollSnapType = '';
  };
  requestAnimationFrame(frame);
}
