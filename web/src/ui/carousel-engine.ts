// The carousel library in a chunk of its own, loaded when a carousel comes into view.
import Swiper from 'swiper';
import { EffectCoverflow, EffectFade } from 'swiper/modules';
import type { SwiperOptions } from 'swiper/types';

export type { SwiperOptions };
export type CarouselEngine = Swiper;

export function startCarousel(element: HTMLElement, options: SwiperOptions): Swiper {
  return new Swiper(element, { modules: [EffectFade, EffectCoverflow], ...options });
}
