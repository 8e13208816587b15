import { expect, it } from 'vitest';
import { quietStock, testBatch, testStock } from '~/testing/stock';
import { batchState, byNeed, changeText, dayText, gramsText, isTooOld, lasts, reasonText } from './stock-words';

const amount = (grams: number, pouches50g = 0, pouches100g = 0) => ({ grams, pouches50g, pouches100g });

it('writes weights and changes', () => {
  expect([0, 450, 1000, 12_500, -250].map(gramsText)).toEqual(['0 g', '450 g', '1 kg', '12.50 kg', '-250 g']);
  expect(changeText(amount(0))).toBe('No difference');
  expect(changeText(amount(-250))).toBe('−250 g');
  expect(changeText(amount(5000, 50, -1)).replaceAll('\u00a0', ' ')).toBe(
    '+5 kg, +50 × 50 g pouches, −1 × 100 g pouches',
  );
  expect(dayText('2027-06-30')).toBe('30 Jun 2027');
});

it('says how long the stock lasts', () => {
  expect(lasts(testStock)).toEqual({ text: '86 days', hint: '50 g pouches run out first', tone: 'green' });
  expect(lasts({ ...testStock, daysLeft: 1, isLow: true, shortest: 'spice' })).toEqual({
    text: '1 day',
    hint: '',
    tone: 'red',
  });
  expect(lasts({ ...testStock, daysLeft: 9 }).tone).toBe('yellow');
  expect(lasts(quietStock).text).toBe('No sales');
  expect(lasts({ ...testStock, isSoldOut: true, isLow: true })).toMatchObject({ text: 'Sold out', tone: 'red' });
  expect(lasts({ ...testStock, isSoldOut: true, isVisible: false }).tone).toBe('neutral');
});

it('lists what runs out first', () => {
  const low = (productId: string, daysLeft: number | null, isSoldOut = false) => ({
    ...testStock,
    productId,
    daysLeft,
    isSoldOut,
    isLow: true,
  });
  const sorted = [low('five', 5), testStock, low('out', null, true), low('two', 2)].sort(byNeed);
  expect(sorted.map(({ productId }) => productId)).toEqual(['out', 'two', 'five', 'goda-masala']);
});

it('says whether a batch can be sent', () => {
  expect(batchState(testBatch)).toEqual({ text: '225 days left', tone: 'green' });
  expect(batchState({ ...testBatch, daysLeft: 60 }).tone).toBe('yellow');
  expect(batchState({ ...testBatch, daysLeft: 44, canBeSent: false })).toEqual({
    text: '44 days left: not sold',
    tone: 'red',
  });
  expect(batchState({ ...testBatch, daysLeft: -1, canBeSent: false }).text).toBe('Past its date');
  expect(batchState({ ...testBatch, leftGrams: 0, canBeSent: false }).text).toBe('Used up');
});

it('counts the days of a batch in India', () => {
  // 18 November 2026, 23:59 and 24:00 in India. 45 days later is 2 January 2027.
  const midnight = Date.parse('2026-11-18T18:30:00Z');
  expect(isTooOld('2027-01-02', midnight - 1)).toBe(false);
  expect(isTooOld('2027-01-01', midnight - 1)).toBe(true);
  expect(isTooOld('2027-01-02', midnight)).toBe(true);
  expect(isTooOld('', midnight)).toBe(false);
});

it('says which grams got a batch and which lost it', () => {
  const text = (batch: string | null, grams: number) => reasonText({ reason: 'batch', batch, change: amount(grams) });
  expect([text('A', 50), text(null, -50)]).toEqual(['Given a batch', 'Given a batch']);
  expect([text('A', -50), text(null, 50)]).toEqual(['Taken out of its batch', 'Taken out of its batch']);
});
