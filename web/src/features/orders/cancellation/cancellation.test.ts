import { describe, expect, it } from 'vitest';
import { testOrder } from '~/testing/order';
import { cancelConsequence, cancelDeadlineText, whyNotCancellable } from './cancellation';

const UNTIL = '2026-11-14T18:29:59.999Z';

it('the deadline has the time left, and none when the clock is past it', () => {
  const text = (now: string) => cancelDeadlineText(UNTIL, Date.parse(now));
  expect(text('2026-11-14T15:17:59Z')).toBe('You can cancel until 11:59 PM IST today, 3 h 12 min left');
  expect(text('2026-11-14T18:29:30Z')).toBe('You can cancel until 11:59 PM IST today, less than a minute left');
  expect(text('2026-11-14T18:30:00Z')).toBe('You can cancel until 11:59 PM IST on 14 Nov 2026');
});

describe('an order that cannot be cancelled says why', () => {
  const why = (changes: Partial<typeof testOrder>) => whyNotCancellable({ ...testOrder, ...changes });
  it('the day is over', () => {
    const text = 'This order could be cancelled until 11:59 PM IST on 14 Nov 2026, the day it was placed.';
    expect(why({ orderStatus: 'confirmed' })).toBe(text);
    expect(why({ orderStatus: 'pending', paymentStatus: 'pending' })).toBe(text);
  });
  it('it is on its way', () => {
    expect(why({ orderStatus: 'shipped' })).toBe(
      'Your parcel is on its way, so this order can no longer be cancelled.',
    );
  });
  it('nothing where it can be cancelled or has ended', () => {
    expect(why({ cancellableUntil: UNTIL })).toBe('');
    expect(why({ orderStatus: 'delivered' })).toBe('');
    expect(why({ orderStatus: 'cancelled' })).toBe('');
    expect(why({ orderStatus: 'pending', paymentStatus: 'failed' })).toBe('');
  });
});

it('the question says what happens to the money', () => {
  const say = (changes: Partial<typeof testOrder>) => cancelConsequence({ ...testOrder, ...changes });
  expect(say({})).toBe('₹310.50 goes back to the account you paid from, within 3-5 days.');
  expect(say({ refundableAmount: 245.5 })).toMatch(/^₹245.50 goes back/);
  expect(say({ refundableAmount: 0 })).toBe('Everything you paid for this order has gone back to you already.');
  const kept = '₹0.50 is kept: the gateway refunds ₹1.00 or more.';
  expect(say({ refundableAmount: 0, restKept: 0.5 })).toBe(kept);
  expect(say({ totalAmount: 0, refundableAmount: 0 })).toBe('Nothing was charged for this order.');
  expect(say({ paymentStatus: 'pending', refundableAmount: 0 })).toMatch(/^Nothing was charged\./);
});
