// @vitest-environment happy-dom
// Its `history.go` calls back at once; web/e2e/layers.e2e.mjs has the same in a browser.
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '~/testing/render';
import { layerDepth, useBackCloses } from './layers';
import { useLocation, useNavigate } from './router';

function Layer({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false);
  useBackCloses(isOpen, () => setOpen(false));
  return (
    <button type="button" onClick={() => setOpen(!isOpen)}>
      {name} {isOpen ? 'open' : 'closed'}
    </button>
  );
}

function Page() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [isFirst, setFirst] = useState(true);
  const [isSwapped, setSwapped] = useState(false);
  useBackCloses(isSwapped && isFirst, () => setSwapped(false));
  useBackCloses(isSwapped && !isFirst, () => setSwapped(false));
  return (
    <>
      <p>At {pathname + search}</p>
      <Layer name="Outer" />
      <Layer name="Inner" />
      <button type="button" onClick={() => (isSwapped ? setFirst(false) : setSwapped(true))}>
        Swap {isSwapped ? (isFirst ? 'first' : 'second') : 'none'}
      </button>
      <button type="button" onClick={() => navigate('/next')}>
        Next
      </button>
      <button type="button" onClick={() => navigate('/list?one', { replace: true })}>
        Change
      </button>
      <button type="button" onClick={() => navigate('/list?two')}>
        Choose
      </button>
    </>
  );
}

/** At /list, with /start before it. */
async function openList() {
  const { user } = renderApp(<Page />, '/start');
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await press('Next');
  window.history.replaceState({ key: 'list' }, '', '/list');
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  await screen.findByText('At /list');
  return { press };
}
const go = (by: number) =>
  act(async () => {
    window.history.go(by);
  });
const shown = (text: string) => screen.findByText(text);

it('Back closes the topmost layer and stays on the page; the next Back leaves it', async () => {
  const { press } = await openList();
  await press('Outer closed');
  await press('Inner closed');
  await go(-1);
  await shown('Inner closed');
  await shown('Outer open');
  await go(-1);
  await shown('Outer closed');
  await shown('At /list');
  await go(-1);
  await shown('At /start');
});

it('a layer that is closed takes its entry back, and Forward does not bring one', async () => {
  const { press } = await openList();
  await press('Outer closed');
  await press('Outer open');
  expect(layerDepth()).toBe(0);
  await go(1);
  await shown('Outer closed');
  expect(layerDepth()).toBe(0);
  await go(-1);
  await shown('At /start');
});

it('the lower one of two layers can be closed first', async () => {
  const { press } = await openList();
  await press('Outer closed');
  await press('Inner closed');
  await press('Outer open');
  expect(layerDepth()).toBe(1);
  await go(-1);
  await shown('Inner closed');
  await go(-1);
  await shown('At /start');
});

it('a layer that replaces another one takes over its entry', async () => {
  const { press } = await openList();
  await press('Swap none');
  await press('Swap first');
  expect(layerDepth()).toBe(1);
  await go(-1);
  await shown('Swap none');
  await shown('At /list');
  await go(-1);
  await shown('At /start');
});

it('a page that is opened from a layer takes the place of its entry', async () => {
  const { press } = await openList();
  await press('Outer closed');
  await press('Next');
  await shown('At /next');
  await go(-1);
  await shown('At /list');
  await shown('Outer closed');
  await go(-1);
  await shown('At /start');
});

it('what is chosen in a layer stays when Back closes it, and is one step back', async () => {
  const { press } = await openList();
  await press('Outer closed');
  await press('Choose');
  await press('Change');
  await go(-1);
  await shown('Outer closed');
  await shown('At /list?one');
  await go(-1);
  await shown('At /list');
  await go(-1);
  await shown('At /start');
});

it('a reload closes the layers, and their entries go', async () => {
  await openList();
  for (const depth of [1, 2]) window.history.pushState({ key: 'list', below: 'list', depth }, '', '/list');
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  await waitFor(() => expect(layerDepth()).toBe(0));
  await go(-1);
  await shown('At /start');
});
