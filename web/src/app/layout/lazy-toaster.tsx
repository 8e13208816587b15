// The code that shows toasts is loaded at the first input, or with the first toast. Toasts that are raised earlier wait for it.
import { useEffect, useState } from 'react';
import { useToasts } from '~/ui/feedback/toast';

type ToasterModule = typeof import('./toaster');

const FIRST_INPUTS = ['pointerdown', 'keydown', 'scroll'];
const RETRY_MS = 5000;

export function LazyToaster({ admin }: { admin: boolean }) {
  const hasToasts = useToasts().length > 0;
  const [loaded, setLoaded] = useState<ToasterModule>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const load = () =>
      void import('./toaster').then(setLoaded, () => {
        timer = setTimeout(load, RETRY_MS);
      });
    const start = () => {
      stop();
      load();
    };
    const stop = () => {
      for (const type of FIRST_INPUTS) window.removeEventListener(type, start);
    };
    if (hasToasts) load();
    else for (const type of FIRST_INPUTS) window.addEventListener(type, start, { passive: true });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [hasToasts]);
  return loaded ? <loaded.Toaster admin={admin} /> : null;
}
