// A component whose code is loaded when it is first rendered. Inside a hydration island that is when the part is seen.
import { type ComponentType, lazy } from 'react';

export type LazyPart<Props = object> = ComponentType<Props> & { load: () => Promise<void> };

export function lazyPart<Props = object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const loadOnce = once(load);
  const Part = lazy(async () => ({ default: await loadOnce() }));
  return Object.assign(Part as unknown as ComponentType<Props>, { load: async () => void (await loadOnce()) });
}

/** The same promise for every caller; another one after a failure. */
function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= act().catch((error) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
