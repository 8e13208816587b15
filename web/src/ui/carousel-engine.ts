// The carousel library, alone in its chunk: it is fetched when a carousel comes into view, never before.
import Swiper from 'swiper';
import { EffectCoverflow, EffectFade } from 'swiper/modules';
import type { SwiperOptions } from 'swiper/types';

export type { SwiperOptions };
export type CarouselEngine = Swiper;

export function startCarousel(element: HTMLElement, options: SwiperOptions): Swiper {
  return new Swiper(element, { modules: [EffectFade, EffectCoverflow], ...options });
}
