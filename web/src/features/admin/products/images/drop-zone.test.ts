import { expect, test } from 'vitest';
import { dragState } from './drop-zone';

test('drag-active, accept, reject', () => {
  const of = (...items: [string, string][]) => dragState({ items: items.map(([kind, type]) => ({ kind, type })) });
  expect(of()).toBe('drag-active');
  expect(of(['file', ''])).toBe('drag-active');
  expect(of(['file', 'image/png'], ['file', 'image/webp'])).toBe('accept');
  expect(of(['file', 'image/png'], ['file', 'application/pdf'])).toBe('reject');
  expect(of(['string', 'text/plain'])).toBe('reject');
});
