// The script in the page itself. It starts the app once the images in view are loaded, or at the first input, and keeps
// what is tapped and typed until the app can act on it (early-input.tsx). Its source text is written into index.html by
// vite.config.ts, so it may only use browser globals.

export type EarlyField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
export type EarlyInput = {
  /** Buttons that were tapped and forms that were sent, in that order. */
  taps: HTMLElement[];
  /** What each field held after the last key. */
  fields: Map<EarlyField, string>;
  stop: () => void;
};

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

export function runEarlyScript(script: string): void {
  const startEvents = ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown', 'focusin'];
  const start = () => {
    for (const one of startEvents) removeEventListener(one, start);
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-deferred-preload]'))
      link.rel = 'modulepreload';
    void import(/* @vite-ignore */ script);
  };
  for (const one of startEvents) addEventListener(one, start, { passive: true });
  // Safari has no requestIdleCallback.
  const startWhenIdle = () => (window.requestIdleCallback ?? setTimeout)(start, { timeout: 200 } as never);
  const loaded = (image: HTMLImageElement) =>
    image.complete ||
    new Promise((done) => {
      for (const type of ['load', 'error']) image.addEventListener(type, done);
    });
  void Promise.all([...document.querySelectorAll<HTMLImageElement>('img[fetchpriority=high]')].map(loaded)).then(
    startWhenIdle,
  );
  addEventListener('load', startWhenIdle);
  setTimeout(start, 3000);

  const taps: HTMLElement[] = [];
  const fields = new Map<EarlyField, string>();
  const keep = (element: HTMLElement | null | undefined, event: Event) => {
    if (!element?.closest('#root')) return;
    event.preventDefault();
    taps.push(element);
    element.dataset.tapped = `${taps.filter((one) => one === element).length}`;
  };
  const closest = (event: Event, selector: string) =>
    (event.target as Element | null)?.closest?.<HTMLElement>(selector);
  const listeners: Record<string, (event: Event) => void> = {
    // A form with an action works without the app.
    click: (event) => keep(closest(event, 'button:not(form[action] button), input[type=checkbox]'), event),
    submit: (event) => keep(closest(event, 'form:not([action])'), event),
    // A disabled button, which may be enabled by an earlier tap, has no click event.
    pointerup: (event) => keep(closest(event, 'button:disabled'), event),
    input: ({ target }) => {
      const field = target as EarlyField;
      if (field.type !== 'checkbox' && field.type !== 'radio') fields.set(field, field.value);
    },
  };
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);
  window.earlyInput = {
    taps,
    fields,
    stop: () => {
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true);
    },
  };
}
