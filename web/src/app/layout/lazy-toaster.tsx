// The code that shows toasts is loaded when the page is idle. Toasts that are raised earlier wait for it.
import { useEffect, useState } from 'react';

type ToasterModule = typeof import('./toaster');

const RETRY_MS = 5000;

export function LazyToaster({ admin }: { admin: boolean }) {
  const [loaded, setLoaded] = useState<ToasterModule>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const load = () =>
      void import('./toaster').then(setLoaded, () => {
        timer = setTimeout(load, RETRY_MS);
      });
    // Safari has no requestIdleCallback.
    if (window.requestIdleCallback) window.requestIdleCallback(load, { timeout: 500 });
    else timer = setTimeout(load, 200);
    return () => clearTimeout(timer);
  }, []);
  return loaded ? <loaded.Toaster admin={admin} /> : null;
}
