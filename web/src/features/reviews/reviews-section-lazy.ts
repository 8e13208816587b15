// The reviews of a product, far below the first screen. In the browser their code is loaded when they are seen, or with the
// page when it is reached by a link. The server build uses reviews-section.tsx instead.
import { lazyPart } from '~/lib/hydration/lazy-part';
import type { ReviewsProps } from './reviews-section';

export const ReviewsSection = lazyPart<ReviewsProps>(async () => (await import('./reviews-section')).ReviewsSection);
