// The sections of home below the first screen, in one file (below-fold-lazy.ts).
export { FlavorsOfTheWorld, TopCategories } from './collection-carousels';
export { Testimonials } from './testimonials';
export { WhyChooseUs } from './why-choose-us';
