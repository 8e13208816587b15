// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createGate, openWhenSeen } from '~/lib/hydration/hydration-gate';
import { EarlyInputReplay } from './early-input';

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it('a click on a part that is hydrated right after the click is repeated, once', () => {
  const { button, gate, clicks } = addPart();
  button.click();
  gate.setHydrated();
  expect(clicks()).toBe(2);
});

it('a click that React stops, because the part cannot be hydrated yet, is repeated', () => {
  const { button, gate, clicks } = addPart();
  document.body.addEventListener('click', (event) => event.stopPropagation(), { capture: true, once: true });
  button.click();
  expect(clicks()).toBe(0);
  gate.setHydrated();
  expect(clicks()).toBe(1);
});

it('a click on a part that is hydrated is not repeated', () => {
  const { button, gate, clicks } = addPart();
  // As React does where it can hydrate the part at once: before the listeners of the part are called.
  button.addEventListener('click', () => gate.setHydrated(), { capture: true, once: true });
  button.click();
  expect(clicks()).toBe(1);
});

/** A part of the page that is not hydrated yet, with a button that counts its clicks. */
function addPart() {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      unobserve() {}
    },
  );
  render(<EarlyInputReplay />);
  const section = document.createElement('section');
  const button = document.createElement('button');
  section.append(button);
  document.body.append(section);
  const onClick = vi.fn();
  button.addEventListener('click', onClick);
  const gate = createGate();
  openWhenSeen(section, gate);
  return { button, gate, clicks: () => onClick.mock.calls.length };
}
