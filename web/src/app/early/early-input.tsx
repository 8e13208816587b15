// Acts on what was tapped and typed before the app was there (early-script.ts), and hydrates the part of the page that is
// touched before all others.
import { useEffect } from 'react';
import { keepClick, openIslandOf } from '~/lib/hydration/hydration-gate';
import type { EarlyField } from './early-script';

/** A button that is disabled when its tap is repeated may be enabled by the taps before it, a few frames later. */
const MAX_FRAMES_UNTIL_ENABLED = 20;
const TOUCHES = ['pointerdown', 'touchstart', 'keydown', 'focusin', 'click', 'pointerover'];

/** The last component of the app: when its effect runs, everything but the hydration islands is hydrated. */
export function EarlyInputReplay(): null {
  useEffect(() => {
    const hydrateTouched = ({ target }: Event) => {
      if (target instanceof Node) openIslandOf(target);
    };
    // Before React's own listeners, which stop a click that they cannot deliver.
    window.addEventListener('click', keepClick, true);
    // Before React's own listeners, which then hydrate the part at once and deliver the event.
    for (const type of TOUCHES) window.addEventListener(type, hydrateTouched, { capture: true, passive: true });
    // Not in the effect itself: React cannot hydrate a part at once while it runs effects.
    const timer = setTimeout(() => void replay());
    return () => {
      clearTimeout(timer);
      window.removeEventListener('click', keepClick, true);
      for (const type of TOUCHES) window.removeEventListener(type, hydrateTouched, { capture: true });
    };
  }, []);
  return null;
}

async function replay() {
  const { earlyInput } = window;
  if (!earlyInput) return;
  window.earlyInput = undefined;
  earlyInput.stop();
  for (const [field, text] of earlyInput.fields) if (field.isConnected) type(field, text);
  for (const element of earlyInput.taps) {
    if (element.isConnected) await tap(element);
    // React renders what it caused before the next one: a second tap counts from there.
    await new Promise(requestAnimationFrame);
    delete element.dataset.tapped;
  }
}

async function tap(element: HTMLElement) {
  openIslandOf(element);
  if (element instanceof HTMLFormElement) return element.requestSubmit();
  for (let frame = 0; frame < MAX_FRAMES_UNTIL_ENABLED && element.matches(':disabled'); frame++)
    await new Promise(requestAnimationFrame);
  element.click();
}

/** React learns of a change only if the value differs from the last one that was set by script. */
function type(field: EarlyField, text: string) {
  openIslandOf(field);
  const notify = () =>
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  // Hydrates the field.
  notify();
  field.value = '';
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  setter?.call(field, text);
  notify();
}
