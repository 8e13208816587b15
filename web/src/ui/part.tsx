// A part of a page that React takes over on its own, between two frames, so that no part makes another wait. Nothing in
// it suspends: the fallback is never seen.
import { type ReactNode, Suspense } from 'react';

export function Part({ children }: { children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
