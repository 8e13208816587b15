// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Product } from '~/api/types';
import { testProduct } from '~/testing/product';
import { mockApi, renderApp } from '~/testing/render';
import { Purchase } from './purchase';
import { TellMe } from './tell-me';

function open(changes: Partial<Product> = {}) {
  const onAdd = vi.fn();
  const product = { ...testProduct, ...changes };
  const view = renderApp(<Purchase product={product} onAdd={onAdd} adding={false} />);
  return { ...view, onAdd };
}

const more = (grams: number) => screen.getByRole<HTMLButtonElement>('button', { name: `More: ${grams} g packs` });
const addButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' });

it('adds the chosen packs of both sizes and shows their subtotal', async () => {
  const { user, onAdd } = open();
  expect(addButton().disabled).toBe(true);
  expect(screen.getAllByText('Choose a pack').length).toBeGreaterThan(0);
  await user.click(more(50));
  expect(screen.queryByText('Choose a pack')).toBeNull();
  await user.click(more(100));
  await user.click(more(100));
  screen.getByText('₹305');
  await user.click(addButton());
  expect(onAdd).toHaveBeenCalledWith({ qty_50g: 1, qty_100g: 2 });
});

it('says why there are no more packs, and stays at the maximum', async () => {
  const { user, onAdd } = open({ packaging_50gms: 1 });
  await user.click(more(50));
  await user.click(more(50));
  screen.getByText('Not enough 50g packaging available');
  await user.click(addButton());
  expect(onAdd).toHaveBeenCalledWith({ qty_50g: 1, qty_100g: 0 });
});

it('cannot add packs of both sizes that need more spice than there is', async () => {
  const { user } = open({ stock: 100 });
  await user.click(more(50));
  await user.click(more(100));
  screen.getByText('Not enough spice stock available');
  expect(addButton().disabled).toBe(true);
});

it('does not sell a size without a price', () => {
  open({ mrp: [65, 0] });
  expect(more(100).disabled).toBe(true);
  screen.getByText('N/A');
});

it('says what is sold out and what is left, and the price for 100 g', () => {
  open({ packaging_50gms: 0, packaging_100gms: 3 });
  screen.getByText('Sold out');
  screen.getByText('Only 3 left');
  screen.getByText(/^₹130 for 100 g/);
  screen.getByText(/^₹120 for 100 g/);
});

it('is sold out when no pack can be filled', () => {
  open({ stock: 49 });
  expect(screen.getAllByText('Sold out')).toHaveLength(3);
  expect([addButton().disabled, more(50).disabled, more(100).disabled]).toEqual([true, true, true]);
});

it('leads from a sold-out product to the form that tells when it is back', async () => {
  mockApi({ 'GET /api/auth/check-auth': { authenticated: false } });
  Element.prototype.scrollIntoView ??= () => undefined;
  const product = { ...testProduct, stock: 0 };
  const { user } = renderApp(
    <>
      <Purchase product={product} onAdd={() => undefined} adding={false} />
      <TellMe product={product} />
    </>,
  );
  await user.click(screen.getByRole('button', { name: 'Tell me when it is back' }));
  expect(document.activeElement).toBe(screen.getByLabelText(/E-mail/));
});

it('says once what is left of a little that both sizes share', () => {
  open({ stock: 150 });
  screen.getByText('150 g left: one 100 g and one 50 g');
  expect(screen.queryByText(/^Only/)).toBeNull();
});

it('cannot choose a size that is sold out', () => {
  open({ stock: 80 });
  expect([more(50).disabled, more(100).disabled]).toEqual([false, true]);
});

it('takes packs away down to none, and says why nothing can be added', async () => {
  const { user } = open();
  const less = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Less: 50 g packs' });
  const reason = () => {
    const text = document.getElementById(addButton().getAttribute('aria-describedby') ?? '')?.textContent;
    return text?.includes('Choose a pack');
  };
  expect([less().disabled, addButton().disabled, reason()]).toEqual([true, true, true]);
  await user.click(more(50));
  expect([less().disabled, addButton().disabled, reason()]).toEqual([false, false, undefined]);
  await user.click(less());
  expect([less().disabled, addButton().disabled, reason()]).toEqual([true, true, true]);
});

it('says why there are no more packs of either size', async () => {
  const { user } = open({ stock: 5000, packaging_50gms: 1, packaging_100gms: 1 });
  await user.click(more(50));
  await user.click(more(50));
  screen.getByText('Not enough 50g packaging available');
  await user.click(more(100));
  await user.click(more(100));
  screen.getByText('Not enough 100g packaging available');
});

it.each([
  ['a missing price of 100 g', [65], 100],
  ['a price of 0 for 50 g', [0, 90], 50],
])('%s: N/A, and not sold in this size', (_, mrp, grams) => {
  open({ mrp });
  screen.getByText('N/A');
  expect(more(grams).disabled).toBe(true);
});

it('counts only the size that has a price', async () => {
  const { user } = open({ mrp: [0, 90] });
  await user.click(more(100));
  expect(screen.getByText('Subtotal').parentElement?.textContent).toBe('Subtotal₹90');
  expect(document.body.textContent).not.toMatch(/₹0(?![.\d])/);
});
