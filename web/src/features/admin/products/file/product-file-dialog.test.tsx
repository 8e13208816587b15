// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { postForm } from '~/api/upload';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { ProductFileDialog } from './product-file-dialog';

vi.mock('~/api/upload', () => ({ postForm: vi.fn() }));

afterEach(() => vi.mocked(postForm).mockReset());

const report = { applied: false, added: 0, changed: 1, unchanged: 0, invalid: 0, ignoredColumns: [], rows: [] };
const fileOf = (content: string, lastModified: number) => new File([content], 'products.csv', { lastModified });

it('a repeated import has the same key, and another file another one', async () => {
  mockApi(signedIn);
  const keys: (string | undefined)[] = [];
  vi.mocked(postForm).mockImplementation((_path, { query, headers }) => {
    if ((query as { dryRun: boolean }).dryRun) {
      expect(headers).toEqual({});
      return Promise.resolve(report as never);
    }
    keys.push(headers?.['Idempotency-Key']);
    return Promise.reject(new Error('The connection was lost'));
  });
  const { user } = renderApp(<ProductFileDialog open onClose={vi.fn()} />);
  const choose = async (file: File) => {
    fireEvent.change(screen.getByLabelText(/Choose/), { target: { files: [file] } });
    await screen.findByRole('button', { name: 'Import 1 product' });
  };
  const send = async (times: number) => {
    await user.click(await screen.findByRole('button', { name: 'Import 1 product' }));
    await waitFor(() => expect(keys).toHaveLength(times));
    await screen.findByText('The connection was lost');
  };
  await choose(fileOf('id,stock\nx,1', 1));
  await send(1);
  await send(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  await choose(fileOf('id,stock\nx,2', 2));
  await send(3);
  expect(keys[2]).not.toBe(keys[0]);
});

it('the check of a file shows the values of new products and the changes of the others', async () => {
  mockApi(signedIn);
  const row = (line: number, outcome: string, from: string, to: string) => ({
    line,
    _id: `p${line}`,
    productName: `Product ${line}`,
    outcome,
    changes: [{ field: 'mrp_50g', from, to }],
    error: null,
  });
  const rows = [row(2, 'added', '', '65'), row(3, 'changed', '60', '70')];
  vi.mocked(postForm).mockResolvedValue({ ...report, added: 1, rows } as never);
  renderApp(<ProductFileDialog open onClose={vi.fn()} />);
  fireEvent.change(screen.getByLabelText(/Choose/), { target: { files: [fileOf('x', 1)] } });
  const items = (await screen.findByRole('list', { name: 'Rows' })).querySelectorAll('li');
  expect(items[0]?.textContent).toBe('NewProduct 2Row 2mrp_50g65');
  expect(items[1]?.textContent).toBe('ChangedProduct 3Row 3mrp_50g60 → 70');
});
