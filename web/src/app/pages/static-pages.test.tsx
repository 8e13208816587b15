// @vitest-environment happy-dom
// What pages without data of their own say, and the title of every page.
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DocumentHead } from '~/app/head/document-head';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import { matchRoute } from '../routing/routes';
import ContactPage from './contact-page';
import NotFoundPage from './not-found-page';
import CancellationPage from './policies/cancellation-page';
import ShippingPage from './policies/shipping-page';

const shop = {
  name: 'Mirasa',
  legalName: 'Mirasa Foods Pvt. Ltd.',
  supportPhone: '+91 20 5550 0142',
  supportEmail: 'care@mirasa.example',
  address: 'Pune',
  grievanceOfficer: { name: 'Meera', email: 'grievance@mirasa.example', phone: '+91 20 5550 0143' },
  social: { instagram: '', facebook: '', youtube: '', x: '' },
  map: { latitude: 18.5, longitude: 73.8, label: 'Mirasa, Pune' },
  imageHosts: [],
};
const body = () => document.body.textContent ?? '';

it('the policies name their figures, the support phone and email', async () => {
  mockApi({ 'GET /api/shop': { shop } });
  const cancellation = renderApp(<CancellationPage />, '/cancellation-policy');
  for (const figure of ['11:59 PM IST', 'same calendar day', 'same day of delivery', '3-5 days', '7 days'])
    expect(body()).toContain(figure);
  cancellation.unmount();
  renderApp(<ShippingPage />, '/shipping-policy');
  for (const figure of ['0-7 business days', '3-5 days']) expect(body()).toContain(figure);
  await screen.findByRole('link', { name: shop.supportPhone });
  screen.getByRole('link', { name: shop.supportEmail });
});

it('Contact Us has a form that says what became of the message, and a map', async () => {
  let response: unknown = { success: true };
  const requests = mockApi({ 'GET /api/shop': { shop }, 'POST /api/api/queries': () => response });
  const { user } = renderApp(<ContactPage />, '/contact-us');
  const typed = { Name: 'Asha', Email: 'asha@example.com', Message: 'Do you grind on Sundays?' };
  for (const [label, text] of Object.entries(typed)) await user.type(screen.getByLabelText(label), text);
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await screen.findByText('Your message has been sent successfully!');
  expect(requests.find(({ call }) => call === 'POST /api/api/queries')?.body).toEqual({
    name: typed.Name,
    email: typed.Email,
    message: typed.Message,
  });
  expect(document.querySelector('iframe')?.getAttribute('src')).toMatch(/^https:\/\/www\.openstreetmap\.org\//);
  response = errorStatus(500, 'internal', 'x');
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await screen.findByText('An error occurred. Please try again later.');
});

it('an unknown path has a page of its own', () => {
  expect(matchRoute('/no/such/page').route.page).toBe('not-found');
  renderApp(<NotFoundPage />, '/no/such/page');
  screen.getByRole('heading', { level: 1, name: 'This shelf is empty' });
});

it.each([
  ['/checkout', 'Delivery Address'],
  ['/payment/status', 'Payment'],
  ['/api/payment/redirect', 'Payment'],
  ['/user/dashboard/profile', 'My Profile'],
  ['/user/dashboard/orders', 'My Orders'],
  ['/orders', 'My Orders'],
  ['/wishlist', 'Your Wishlist'],
  ['/about-us', 'About Us'],
  ['/contact-us', 'Contact Us'],
  ['/cancellation-policy', 'Cancellation & Refund'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/shipping-policy', 'Shipping & Delivery'],
  ['/terms-and-conditions', 'Terms and Conditions'],
])('the title of %s is %s', async (path, title) => {
  mockApi({ 'GET /api/shop': { shop } });
  renderApp(<DocumentHead />, path);
  await waitFor(() => expect(document.title.startsWith(title)).toBe(true));
});
