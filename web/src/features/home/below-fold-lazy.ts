// The sections of home below the first screen. In the browser their code is loaded when one of them is seen, or with the
// page when it is reached by a link. The server build uses below-fold.ts instead.
import { lazyPart } from '~/lib/hydration/lazy-part';

const load = () => import('./below-fold');

export const WhyChooseUs = lazyPart(async () => (await import('./why-choose-us')).WhyChooseUs);
export const TopCategories = lazyPart(async () => (await load()).TopCategories);
export const FlavorsOfTheWorld = lazyPart(async () => (await load()).FlavorsOfTheWorld);
export const Testimonials = lazyPart(async () => (await load()).Testimonials);

export const loadBelowFold = () =>
  Promise.all([WhyChooseUs, TopCategories, FlavorsOfTheWorld, Testimonials].map((part) => part.load()));
