// The footer; in the browser its code is loaded when it is seen. The server build uses footer.tsx instead.
import { lazyPart } from '~/lib/hydration/lazy-part';

export const Footer = lazyPart(async () => (await import('./footer')).Footer);
