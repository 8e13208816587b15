// A looping carousel that shows one slide at a time and advances by itself: which slide is shown, and what moves it. The
// slides are laid out by CSS (carousel.css) from `index`, so a server-rendered page shows the first one without script.
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type Autoplay, type AutoplayTiming, createAutoplay } from './autoplay';
import { watchSwipes } from './swipe';

export type Slides = {
  ref: RefObject<HTMLDivElement | null>;
  index: number;
  playing: boolean;
  previous: () => void;
  next: () => void;
  goTo: (index: number) => void;
  togglePlay: () => void;
  /** For the element around the slides: arrow keys move, autoplay waits while the focus is inside. */
  frame: {
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: FocusEvent) => void;
    onBlur: (event: FocusEvent) => void;
  };
};

export function useSlides(count: number, timing: AutoplayTiming): Slides {
  const ref = useRef<HTMLDivElement>(null);
  const autoplay = useRef<Autoplay | null>(null);
  const timings = useRef(timing);
  const wantsPlay = useRef(true);
  const [index, setIndex] = useState(0);
  const [playing, setPlaying] = useState(true);

  const step = (by: number) => setIndex((now) => (now + by + count) % count);
  const stepByHand = useRef((by: number) => {
    step(by);
    autoplay.current?.restart();
  }).current;

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      wantsPlay.current = false;
      setPlaying(false);
    }
    const own = createAutoplay(timings.current, () => setIndex((now) => (now + 1) % count));
    autoplay.current = own;
    // Pause was pressed before, or motion is not wanted.
    if (!wantsPlay.current) own.hold('stopped');
    if (element.matches(':hover')) own.hold('hover');
    const onPointer = ({ type, pointerType }: PointerEvent) => {
      if (pointerType !== 'mouse') return;
      if (type === 'pointerenter') own.hold('hover');
      else own.release('hover');
    };
    const onVisibility = () => {
      if (document.hidden) own.hold('hidden');
      else own.release('hidden');
    };
    onVisibility();
    // Not while it is out of view, to save processor time.
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) own.release('unseen');
      else own.hold('unseen');
    });
    observer.observe(element);
    const unwatch = watchSwipes(element, {
      onMove: (dx) => {
        own.hold('touch');
        element.dataset.swiping = '';
        element.style.setProperty('--swipe', `${dx}px`);
      },
      onEnd: (dx) => {
        delete element.dataset.swiping;
        element.style.removeProperty('--swipe');
        if (dx !== 0) stepByHand(dx < 0 ? 1 : -1);
        own.release('touch');
      },
    });
    element.addEventListener('pointerenter', onPointer);
    element.addEventListener('pointerleave', onPointer);
    document.addEventListener('visibilitychange', onVisibility);
    element.dataset.started = '';
    return () => {
      own.destroy();
      autoplay.current = null;
      observer.disconnect();
      unwatch();
      element.removeEventListener('pointerenter', onPointer);
      element.removeEventListener('pointerleave', onPointer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [count, stepByHand]);

  return {
    ref,
    index,
    playing,
    previous: () => stepByHand(-1),
    next: () => stepByHand(1),
    goTo: (to) => {
      setIndex(to);
      autoplay.current?.restart();
    },
    togglePlay: () => {
      wantsPlay.current = !wantsPlay.current;
      setPlaying(wantsPlay.current);
      if (wantsPlay.current) autoplay.current?.release('stopped');
      else autoplay.current?.hold('stopped');
    },
    frame: {
      onKeyDown: (event) => {
        if (event.key === 'ArrowRight') stepByHand(1);
        else if (event.key === 'ArrowLeft') stepByHand(-1);
        else return;
        event.preventDefault();
      },
      onFocus: ({ target }) => {
        // A mouse click also focuses; the slides only have to wait for the keyboard.
        if (target.matches(':focus-visible')) autoplay.current?.hold('focus');
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) autoplay.current?.release('focus');
      },
    },
  };
}

/** How far a slide is from the shown one, the shorter way round: 0, 1, 2 … to the right, -1, -2 … to the left. */
export function offsetOf(at: number, index: number, count: number): number {
  const ahead = (at - index + count) % count;
  return ahead >= count / 2 ? ahead - count : ahead;
}
