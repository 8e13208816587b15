// In the browser its code is loaded like that of the other sections of home below the first screen. The server build uses
// home-trending.tsx instead.
import { lazyPart } from '~/lib/hydration/lazy-part';

export const HomeTrending = lazyPart(async () => (await import('./home-trending')).HomeTrending);
