// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { reviewsQuery } from '~/api/queries/catalogue';
import type { OwnReviews, Review, ReviewPage } from '~/api/types';
import { errorStatus, mockApi, newClient, renderApp, signedIn } from '~/testing/render';
import { ReviewsSection } from './reviews-section';

const review = (id: string, more: Partial<Review> = {}): Review => ({
  _id: id,
  stars: 5,
  text: `Words of ${id}`,
  images: [],
  author: 'Asha K.',
  createdAt: '2026-11-14T06:35:00Z',
  editedAt: null,
  helpful: 0,
  reply: null,
  ...more,
});

const pageOf = (reviews: Review[], more: Partial<ReviewPage> = {}): ReviewPage => ({
  reviews,
  rating: null,
  distribution: [0, 0, 0, 0, reviews.length],
  total: reviews.length,
  page: 1,
  pages: 1,
  ...more,
});

const nothingOwn: OwnReviews = { reviews: [], canReview: false, helpful: [] };
const LIST = 'GET /api/products/goda-masala/reviews';
const OWN = 'GET /api/user/reviews';

function open(responses: Record<string, unknown>, rendered?: ReviewPage) {
  const requests = mockApi({ 'GET /api/auth/check-auth': { authenticated: false }, ...responses });
  const client = newClient();
  if (rendered) client.setQueryData(reviewsQuery('goda-masala').queryKey, rendered);
  const section = <ReviewsSection productId="goda-masala" name="Goda Masala" />;
  return { requests, ...renderApp(section, '/product/goda-masala', client) };
}

it('shows what the server rendered without a request, and more on demand', async () => {
  const first = pageOf([review('a'), review('b')], {
    rating: { value: 4.6, count: 7 },
    distribution: [0, 0, 1, 1, 5],
    total: 7,
    pages: 2,
  });
  const { user, requests } = open({ [LIST]: pageOf([review('c')], { page: 2, pages: 2, total: 7 }) }, first);
  expect(screen.getByText('4.6')).toBeDefined();
  expect(screen.getAllByRole('article')).toHaveLength(2);
  expect(requests.filter(({ call }) => call.startsWith(LIST))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show more reviews' }));
  await screen.findByText('Words of c');
  expect(requests.map(({ call }) => call)).toContain(`${LIST}?sort=newest&page=2`);
  expect(screen.queryByRole('button', { name: 'Show more reviews' })).toBeNull();
});

it('reads the most helpful ones when they are chosen', async () => {
  const { user, requests } = open({ [LIST]: pageOf([review('h')]) }, pageOf([review('a'), review('b')]));
  await user.click(screen.getByRole('radio', { name: 'Most helpful first' }));
  await screen.findByText('Words of h');
  expect(requests.map(({ call }) => call)).toContain(`${LIST}?sort=helpful&page=1`);
});

it('a vote counts at once and is taken back when it is rejected', async () => {
  let isRejected = true;
  let votes: string[] = [];
  const { user } = open(
    {
      ...signedIn,
      [OWN]: () => ({ ...nothingOwn, helpful: votes }),
      'PUT /api/user/reviews/a/helpful': () => {
        if (isRejected) return errorStatus(409, 'own_review', 'You cannot vote for your own review');
        votes = ['a'];
        return { helpful: 3 };
      },
    },
    pageOf([review('a', { helpful: 2 }), review('b')]),
  );
  const article = () => screen.getAllByRole('article')[0] as HTMLElement;
  const button = () => within(article()).getByRole('button', { name: /^Helpful/ });
  await waitFor(() => expect(button().textContent).toContain('(2)'));
  await user.click(button());
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('your own review'));
  expect(button().textContent).toContain('(2)');
  isRejected = false;
  await user.click(button());
  await waitFor(() => expect(button().getAttribute('aria-pressed')).toBe('true'));
  expect(button().textContent).toContain('(3)');
});

it('only who received the product is asked to review it; the own review can be changed and not voted for', async () => {
  const { unmount } = open({ ...signedIn, [OWN]: { ...nothingOwn, canReview: true } }, pageOf([]));
  const link = await screen.findByRole('link', { name: 'Review Goda Masala' });
  expect(link.getAttribute('href')).toBe('/review?product=goda-masala');
  unmount();
  const own = { ...review('a'), productId: 'goda-masala', productName: 'Goda Masala', hiddenReason: null };
  open({ ...signedIn, [OWN]: { ...nothingOwn, reviews: [own] } }, pageOf([review('a'), review('b')]));
  await screen.findByRole('link', { name: 'Change your review' });
  expect(screen.getAllByRole('button', { name: /^Helpful/ })).toHaveLength(1);
});

it('markup in a review is text', () => {
  const hostile = '<img src=x onerror=alert(1)>\n**bold**';
  const reply = { text: hostile, at: '2026-11-15T06:35:00Z' };
  const { container } = open({}, pageOf([review('a', { text: hostile, author: '<b>A</b>', reply })]));
  expect(container.querySelector('img, b')).toBeNull();
  expect(screen.getAllByText(/<img src=x onerror/)).toHaveLength(2);
});
