// Starts the carousel library on a row of slides when the row comes into view. Until then the row is plain, scrollable
// HTML of the same size, and the library is not loaded.
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Autoplay, type AutoplayTiming, createAutoplay } from './autoplay';
import type { CarouselEngine, SwiperOptions } from './carousel-engine';

export type CarouselControls = {
  ref: RefObject<HTMLDivElement | null>;
  index: number;
  atStart: boolean;
  atEnd: boolean;
  playing: boolean;
  previous: () => void;
  next: () => void;
  goTo: (index: number) => void;
  togglePlay: () => void;
  /** For the element around the slides: arrow keys move, focus is followed, autoplay waits while the focus is inside. */
  frame: {
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: React.FocusEvent) => void;
    onBlur: (event: React.FocusEvent) => void;
  };
};

const DEFAULTS: SwiperOptions = { speed: 300, threshold: 5, watchSlidesProgress: true };

/** Options that depend on the screen are a function, called when the library starts. */
export function useCarousel(options: SwiperOptions | (() => SwiperOptions), timing?: AutoplayTiming): CarouselControls {
  const autoplays = timing !== undefined;
  const ref = useRef<HTMLDivElement>(null);
  const engine = useRef<CarouselEngine | null>(null);
  const autoplay = useRef<Autoplay | null>(null);
  const settings = useRef(options);
  const timings = useRef(timing);
  const [index, setIndex] = useState(0);
  const [edges, setEdges] = useState({ atStart: true, atEnd: false });
  const [playing, setPlaying] = useState(autoplays);
  const wantsPlay = useRef(autoplays);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let alive = true;
    const start = async () => {
      const { startCarousel } = await import('./carousel-engine');
      if (!alive || engine.current) return;
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (still) {
        wantsPlay.current = false;
        setPlaying(false);
      }
      element.scrollLeft = 0;
      const report = (swiper: CarouselEngine) => {
        setIndex(swiper.realIndex);
        setEdges({ atStart: swiper.isBeginning, atEnd: swiper.isEnd });
      };
      const swiper = startCarousel(element, {
        ...DEFAULTS,
        ...(typeof settings.current === 'function' ? settings.current() : settings.current),
        ...(still ? { speed: 0 } : {}),
        on: {
          init: report,
          slideChange: report,
          fromEdge: report,
          toEdge: report,
          resize: report,
          breakpoint: report,
          sliderFirstMove: () => autoplay.current?.hold('touch'),
          touchEnd: () => {
            autoplay.current?.restart();
            autoplay.current?.release('touch');
          },
        },
      });
      engine.current = swiper;
      if (!timings.current) return;
      autoplay.current = createAutoplay(timings.current, () => swiper.slideNext());
      // Pause was pressed before the library was loaded.
      if (!wantsPlay.current) autoplay.current.hold('stopped');
      if (element.matches(':hover')) autoplay.current.hold('hover');
      onVisibility();
    };
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      if (event.type === 'pointerenter') autoplay.current?.hold('hover');
      else autoplay.current?.release('hover');
    };
    const onVisibility = () => {
      if (document.hidden) autoplay.current?.hold('hidden');
      else autoplay.current?.release('hidden');
    };
    if (timings.current) {
      element.addEventListener('pointerenter', onPointer);
      element.addEventListener('pointerleave', onPointer);
      document.addEventListener('visibilitychange', onVisibility);
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        void start();
      },
      { rootMargin: '120px' },
    );
    observer.observe(element);
    return () => {
      alive = false;
      observer.disconnect();
      element.removeEventListener('pointerenter', onPointer);
      element.removeEventListener('pointerleave', onPointer);
      document.removeEventListener('visibilitychange', onVisibility);
      autoplay.current?.destroy();
      autoplay.current = null;
      engine.current?.destroy(true, true);
      engine.current = null;
    };
  }, []);

  const move = useCallback((how: (swiper: CarouselEngine) => void) => {
    if (engine.current) how(engine.current);
    autoplay.current?.restart();
  }, []);
  const previous = useCallback(() => move((swiper) => swiper.slidePrev()), [move]);
  const next = useCallback(() => move((swiper) => swiper.slideNext()), [move]);
  const goTo = useCallback(
    (to: number) => move((swiper) => (swiper.params.loop ? swiper.slideToLoop(to) : swiper.slideTo(to))),
    [move],
  );
  const togglePlay = useCallback(() => {
    wantsPlay.current = !wantsPlay.current;
    setPlaying(wantsPlay.current);
    if (wantsPlay.current) autoplay.current?.release('stopped');
    else autoplay.current?.hold('stopped');
  }, []);

  const frame: CarouselControls['frame'] = {
    onKeyDown: (event) => {
      if (event.key === 'ArrowRight') next();
      else if (event.key === 'ArrowLeft') previous();
      else return;
      event.preventDefault();
    },
    onFocus: (event) => {
      const swiper = engine.current;
      if (!swiper) return;
      // A mouse click also focuses; the slides only have to wait for the keyboard.
      if (event.target.matches(':focus-visible')) autoplay.current?.hold('focus');
      const slide = (event.target as Element).closest('.swiper-slide');
      const hidden = slide && !slide.classList.contains('swiper-slide-fully-visible');
      if (hidden && !swiper.params.loop) swiper.slideTo(swiper.slides.indexOf(slide as HTMLElement));
    },
    onBlur: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) autoplay.current?.release('focus');
    },
  };

  return { ref, index, ...edges, playing, previous, next, goTo, togglePlay, frame };
}
