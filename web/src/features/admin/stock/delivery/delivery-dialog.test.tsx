// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { testStock } from '~/testing/stock';
import { StockSection } from '../stock-section';

const DELIVER = 'POST /api/admin/stock/deliveries';
const chai = { ...testStock, productId: 'chai-masala', productName: 'Chai Masala', daysLeft: 3 };

function open(responses: Record<string, unknown> = {}) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/stock': { products: [testStock, chai], lowDays: 7 },
    'GET /api/admin/batches': { batches: [] },
    ...responses,
  });
  const sent = () => requests.filter(({ call }) => call === DELIVER);
  return { ...renderApp(<StockSection />, '/admins?section=stock'), sent };
}

it('receives several products in one request, with the same key when it is repeated', async () => {
  let failures = 1;
  const { user, sent } = open({
    [DELIVER]: () => (failures-- > 0 ? errorStatus(503, 'unavailable', 'The shop is busy.') : { success: true }),
  });
  await user.click(await screen.findByRole('button', { name: 'Receive a delivery' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Receive a delivery' }));
  const field = (name: string) => dialog.getByRole('textbox', { name });
  await user.type(field('Spice (kg) of Goda Masala'), '12.5');
  await user.type(field('100 g pouches of Chai Masala'), '40');
  dialog.getByText('2 products, 12.50 kg');
  await user.click(dialog.getByRole('radio', { name: 'Grams' }));
  expect((field('Spice (g) of Goda Masala') as HTMLInputElement).value).toBe('12500');
  await user.type(dialog.getByLabelText('Note'), 'Mill of Kolhapur');
  const send = () => user.click(dialog.getByRole('button', { name: 'Receive' }));
  await send();
  // What was typed stays.
  await dialog.findByText('The shop is busy.');
  await send();
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('Delivery received: 2 products'));
  expect(sent()).toHaveLength(2);
  expect(sent()[1]?.body).toEqual({
    lines: [
      { productId: 'goda-masala', grams: 12_500, pouches50g: 0, pouches100g: 0 },
      { productId: 'chai-masala', grams: 0, pouches50g: 0, pouches100g: 40 },
    ],
    note: 'Mill of Kolhapur',
  });
  const [first, second] = sent().map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toBeTruthy();
  expect(second).toBe(first);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('sends nothing that is wrong or empty', async () => {
  const { user, sent } = open();
  await user.click(await screen.findByRole('button', { name: 'Receive a delivery' }));
  const dialog = within(screen.getByRole('dialog'));
  const send = () => user.click(dialog.getByRole('button', { name: 'Receive' }));
  await send();
  dialog.getByText('Enter what was delivered');
  const weight = dialog.getByRole('textbox', { name: 'Spice (kg) of Goda Masala' });
  await user.type(weight, '12.3456');
  dialog.getByText('Like 12.5, to the gram');
  await send();
  await waitFor(() => expect(document.activeElement).toBe(weight));
  expect(sent()).toEqual([]);
});

it('the list is searched, and sorted by how long the stock lasts; both are in the URL', async () => {
  const { user } = open();
  await screen.findAllByText('Goda Masala');
  const names = () =>
    within(screen.getByRole('table', { name: /stock/i }))
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
  expect(names()[0]).toMatch('Goda Masala');
  await user.selectOptions(screen.getByLabelText('Sort by'), 'Lasts, shortest first');
  await waitFor(() => expect(names()[0]).toMatch('Chai Masala'));
  await user.type(screen.getByLabelText('Search'), 'goda');
  await waitFor(() => expect(window.location.search).toBe('?section=stock&search=goda&sort=lasts'));
  await waitFor(() => expect(names()).toHaveLength(1));
  await user.type(screen.getByLabelText('Search'), 'xyz');
  await screen.findByText('No product has this name.');
  await user.click(screen.getByRole('button', { name: 'Show all products' }));
  await waitFor(() => expect(names()).toHaveLength(2));
});
