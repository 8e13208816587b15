// @vitest-environment happy-dom
import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import { ContactForm } from './contact-form';

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const noteOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby') ?? '')?.textContent;

async function send(response: unknown) {
  mockApi({ 'POST /api/api/queries': response });
  const { user } = renderApp(<ContactForm />);
  await user.type(field('Message'), 'Namaste');
  await user.click(screen.getByRole('button', { name: 'Send message' }));
}

it("shows the server's error beside its field", async () => {
  const text = 'At most 5000 characters';
  await send(errorStatus(400, 'invalid_input', text, 'message'));
  await waitFor(() => expect(noteOf('Message')).toBe(text));
  expect(field('Message').getAttribute('aria-invalid')).toBe('true');
  expect(field('Name').getAttribute('aria-invalid')).toBeNull();
  screen.getByText('An error occurred. Please try again later.');
  expect(field('Message').value).toBe('Namaste');
});

it('shows no other error beside a field', async () => {
  await send(errorStatus(429, 'rate_limited', 'Too many requests. Please try again in a moment.'));
  await screen.findByText('An error occurred. Please try again later.');
  expect(noteOf('Message')).toBeUndefined();
});

it('says at once that nothing was sent without a connection', async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  await send(() => Promise.reject(new TypeError('Failed to fetch')));
  await screen.findByText('An error occurred. Please try again later.');
  expect(field('Message').value).toBe('Namaste');
});
