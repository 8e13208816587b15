// @vitest-environment happy-dom
// Which picture is shown and loaded. Swiping is in web/e2e/product-images.e2e.mjs.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { testProduct } from '~/testing/product';
import { renderApp } from '~/testing/render';
import { Gallery } from './gallery';

// happy-dom loads no images: without a width they would count as failed.
beforeAll(() => void vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(960));

const images = ['goda pouch.webp', 'goda lifestyle shot.webp', 'goda spices.webp'];
const pictures = () => screen.getAllByRole('button', { name: /^Zoom: /, hidden: true }).length;
const [DOTS, THUMBNAILS] = [0, 1];
const buttons = (list: number) =>
  within(screen.getAllByRole('list', { name: 'Pictures' })[list] as HTMLElement).getAllByRole('button');
const current = (list: number) => buttons(list).map((button) => button.getAttribute('aria-current'));

it('dots and thumbnails say which picture is shown, and only that one is loaded', async () => {
  const { user } = renderApp(<Gallery product={{ ...testProduct, images }} />);
  expect(pictures()).toBe(1);
  for (const list of [DOTS, THUMBNAILS]) {
    expect(buttons(list)).toHaveLength(3);
    await user.click(buttons(list)[2] as HTMLElement);
    expect([current(DOTS), current(THUMBNAILS)]).toEqual([
      [null, null, 'true'],
      [null, null, 'true'],
    ]);
    expect(pictures()).toBe(1);
    await user.click(buttons(list)[0] as HTMLElement);
  }
});

it('a finger on the picture loads the next one, a mouse does not', () => {
  renderApp(<Gallery product={{ ...testProduct, images }} />);
  const picture = screen.getByRole('button', { name: /^Zoom: / });
  fireEvent.pointerDown(picture, { pointerType: 'mouse' });
  expect(pictures()).toBe(1);
  fireEvent.pointerDown(picture, { pointerType: 'touch' });
  expect(pictures()).toBe(2);
});

it('one picture has neither dots nor thumbnails', () => {
  renderApp(<Gallery product={testProduct} />);
  expect(screen.queryAllByRole('list')).toEqual([]);
});
