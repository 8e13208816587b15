// A part of a page that React hydrates on its own, between two frames, so that the parts do not wait for each other.
// Nothing in it suspends: the fallback is never shown.
import { type ReactNode, Suspense } from 'react';

export function HydrationIsland({ children }: { children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
