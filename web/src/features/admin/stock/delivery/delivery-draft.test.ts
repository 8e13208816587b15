import { expect, test } from 'vitest';
import { checkDelivery, deliveryLines, EMPTY_ROW, inUnit, parseWeight } from './delivery-draft';

test('a weight is whole grams, typed in kilograms or grams', () => {
  for (const [text, grams] of [
    ['12.5', 12_500],
    ['0.05', 50],
    ['1,200', 1_200_000],
    [' 3 ', 3_000],
    ['', 0],
    ['12.3456', null],
    ['12,5', null],
    ['-1', null],
    ['a lot', null],
  ] as const)
    expect(parseWeight(text, 'kg'), text).toBe(grams);
  expect(parseWeight('12,500', 'g')).toBe(12_500);
  expect(parseWeight('12.5', 'g')).toBeNull();
});

test('another unit keeps the weight', () => {
  expect(inUnit('12.5', 'kg', 'g')).toBe('12500');
  expect(inUnit('750', 'g', 'kg')).toBe('0.75');
  for (const text of ['', 'a lot']) expect(inUnit(text, 'kg', 'g')).toBe(text);
});

test('only what came is sent, and every wrong number is named', () => {
  const rows = {
    goda: { weight: '2.5', pouches50g: '40', pouches100g: '' },
    chai: EMPTY_ROW,
    rasam: { weight: '', pouches50g: '', pouches100g: '20' },
  };
  expect(checkDelivery(rows, 'kg')).toEqual({});
  expect(deliveryLines(rows, 'kg')).toEqual([
    { productId: 'goda', grams: 2500, pouches50g: 40, pouches100g: 0 },
    { productId: 'rasam', grams: 0, pouches50g: 0, pouches100g: 20 },
  ]);
  expect(checkDelivery({ goda: { weight: 'x', pouches50g: '1.5', pouches100g: '' } }, 'kg')).toEqual({
    goda: { weight: 'Like 12.5, to the gram', pouches50g: 'Enter a whole number' },
  });
});
