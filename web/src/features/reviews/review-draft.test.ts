import { expect, it } from 'vitest';
import { checkReview, parseStars, reviewForm } from './review-draft';

it('needs stars and at most 2000 characters; words are optional', () => {
  expect(checkReview({ stars: 0, text: '' })).toEqual({ stars: 'Choose from one to five stars' });
  expect(checkReview({ stars: 4, text: '' })).toEqual({});
  expect(checkReview({ stars: 4, text: '🌶'.repeat(2000) })).toEqual({});
  expect(checkReview({ stars: 4, text: 'x'.repeat(2001) })).toEqual({ text: 'At most 2000 characters' });
});

it('takes only one to five stars from a link', () => {
  expect(['1', '5', '0', '6', '4.5', '-1', '', 'x', '٣'].map(parseStars)).toEqual([1, 5, 0, 0, 0, 0, 0, 0, 0]);
});

it('sends the texts before the photos, and what stays only with an edit', () => {
  const photo = new File(['x'], 'a.jpg', { type: 'image/jpeg' });
  const draft = { stars: 5, text: ' Good ', kept: ['/images/reviews/a.webp'], photos: [photo] };
  expect([...reviewForm('goda-masala', draft, false).keys()]).toEqual(['productId', 'stars', 'text', 'images']);
  const edit = reviewForm('goda-masala', draft, true);
  expect([...edit.keys()]).toEqual(['stars', 'text', 'keepImages', 'images']);
  expect([edit.get('text'), edit.get('keepImages')]).toEqual(['Good', '["/images/reviews/a.webp"]']);
});
