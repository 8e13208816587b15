// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { testDiscount } from '~/testing/discount';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { checkDiscount, draftOf, EMPTY_DRAFT, inputOf } from './discount-draft';
import { DiscountsSection } from './discounts-section';

const base = {
  ...signedIn,
  'GET /api/products/api/filters': { categories: ['Beverages', 'Veg'], counts: [2, 5], quantities: [] },
  'GET /api/admin/products': { products: [], total: 0, page: 1, pages: 1 },
};
const open = () => renderApp(<DiscountsSection />, '/admins?section=discounts');

it('adds a code', async () => {
  const requests = mockApi({
    ...base,
    'GET /api/admin/discounts': { discounts: [] },
    'POST /api/admin/discounts': { discount: testDiscount },
  });
  const { user } = open();
  await screen.findByText('No discount codes yet.');
  await user.click(screen.getByRole('button', { name: 'New code' }));
  const dialog = within(screen.getByRole('dialog', { name: 'New discount code' }));
  await user.click(dialog.getByRole('button', { name: 'Add code' }));
  dialog.getByText('Use 4 to 24 letters, digits and dashes');
  dialog.getByText('Enter a per cent from 0.01 to 100');
  await user.type(dialog.getByLabelText(/^Code/), 'diwali20');
  await user.type(dialog.getByLabelText(/^Per cent off/), '20');
  await user.type(dialog.getByLabelText('Uses in all'), '500');
  await user.click(dialog.getByLabelText('Once per customer'));
  await user.click(await dialog.findByLabelText('Beverages'));
  await user.click(dialog.getByRole('button', { name: 'Add code' }));
  await screen.findByText('DIWALI20 added');
  expect(requests.find(({ call }) => call === 'POST /api/admin/discounts')?.body).toEqual({
    code: 'DIWALI20',
    kind: 'percent',
    value: 20,
    maxUses: 500,
    oncePerCustomer: true,
    firstOrderOnly: false,
    minTotal: null,
    categories: ['Beverages'],
    products: [],
    from: null,
    to: null,
    active: true,
  });
});

it('pauses a code and leaves its terms', async () => {
  const requests = mockApi({
    ...base,
    'GET /api/admin/discounts': { discounts: [testDiscount] },
    'PUT /api/admin/discounts/d1': { discount: { ...testDiscount, active: false } },
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Pause DIWALI20' }));
  await screen.findByText('DIWALI20 saved');
  const { _id, createdAt, updatedAt, uses, held, turnover, cost, ...terms } = testDiscount;
  expect(requests.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({ ...terms, active: false });
});

it('shows what the server rejects beside its field', async () => {
  const reason = 'The code has been used 42 times already. Pause it to stop further uses.';
  mockApi({
    ...base,
    'GET /api/admin/discounts': { discounts: [testDiscount] },
    'PUT /api/admin/discounts/d1': errorStatus(400, 'invalid_input', reason, 'maxUses'),
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Edit DIWALI20' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Edit DIWALI20' }));
  const field = dialog.getByLabelText('Uses in all');
  await user.clear(field);
  await user.type(field, '1');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(reason);
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

it('an unchanged draft is the code itself', () => {
  const { _id, createdAt, updatedAt, uses, held, turnover, cost, ...terms } = testDiscount;
  expect(checkDiscount(draftOf(testDiscount))).toEqual({});
  expect(inputOf(draftOf(testDiscount))).toEqual(terms);
  const wrong = {
    ...EMPTY_DRAFT,
    code: 'OKAY',
    value: '101',
    maxUses: '0',
    minTotal: 'x',
    from: '2026-11-02T00:00',
    to: '2026-11-01T00:00',
  };
  expect(Object.keys(checkDiscount(wrong)).sort()).toEqual(['maxUses', 'minTotal', 'to', 'value']);
  expect(checkDiscount({ ...EMPTY_DRAFT, code: 'OKAY', kind: 'amount', value: '101' })).toEqual({});
});
