// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Message } from '~/api/types';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { ReplyForm } from './reply-form';

const message: Message = {
  _id: 'm1',
  name: 'Asha',
  email: 'asha@example.in',
  message: 'Is it vegan?',
  createdAt: '2026-11-14T06:35:00Z',
  readAt: null,
  doneAt: null,
  canReply: true,
  replies: [],
};

function open(reply: unknown = { message }, of = message) {
  const requests = mockApi({
    ...signedIn,
    'POST /api/admin/messages/m1/reply': reply,
    'GET /api/admin/messages': { messages: [], total: 0, unread: 0, page: 1, pages: 1 },
  });
  const sent = () => requests.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body);
  return { ...renderApp(<ReplyForm message={of} />), sent };
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Reply');
const note = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

it('says where the reply goes, and sends it', async () => {
  const { user, sent } = open();
  expect(note()).toBe('An email to asha@example.in. It quotes the message above.');
  await user.type(field(), 'Yes, it is.');
  await user.click(button('Send reply'));
  await waitFor(() => expect(field().value).toBe(''));
  expect(sent()).toEqual([{ text: 'Yes, it is.', done: false }]);
  expect(screen.getByTestId('toasts').textContent).toBe('Reply sent!');
  expect(sessionStorage.length).toBe(0);
});

it('sends and marks as done in one request', async () => {
  const { user, sent } = open();
  await user.type(field(), 'Yes');
  await user.click(button('Send and mark as done'));
  await waitFor(() => expect(sent()).toEqual([{ text: 'Yes', done: true }]));
  expect(screen.getByTestId('toasts').textContent).toBe('Reply sent, message done!');
});

it('cannot mark as done what is done', () => {
  open({ message }, { ...message, doneAt: '2026-11-14T07:00:00Z' });
  expect(screen.queryByRole('button', { name: 'Send and mark as done' })).toBeNull();
});

it('does not send an empty or too long reply', async () => {
  const { user, sent } = open();
  await user.type(field(), '  ');
  await user.click(button('Send reply'));
  expect(note()).toBe('Reply is required');
  expect(field().getAttribute('aria-invalid')).toBe('true');
  // As many characters as are allowed, each of two UTF-16 units, and one more.
  fireEvent.change(field(), { target: { value: '🌶'.repeat(5001) } });
  expect(field().getAttribute('aria-invalid')).toBeNull();
  await user.click(button('Send reply'));
  expect(note()).toBe('Reply must be at most 5000 characters');
  fireEvent.change(field(), { target: { value: '🌶'.repeat(5000) } });
  await user.click(button('Send reply'));
  await waitFor(() => expect(sent()).toHaveLength(1));
});

it('shows that it is sending, and sends once', async () => {
  let respond = (_: unknown) => {};
  const { user, sent } = open(() => new Promise((resolve) => (respond = resolve)));
  await user.type(field(), 'Yes');
  await user.click(button('Send reply'));
  const sending = await screen.findByRole<HTMLButtonElement>('button', { name: 'Sending...' });
  expect([sending.disabled, button('Send and mark as done').disabled, field().readOnly]).toEqual([true, true, true]);
  fireEvent.submit(sending.closest('form') as HTMLFormElement);
  respond({ message });
  await waitFor(() => expect(field().value).toBe(''));
  expect(sent()).toHaveLength(1);
});

it('keeps the text when it could not be sent', async () => {
  const { user } = open(errorStatus(409, 'no_reply_address', 'This message has no email address.'));
  await user.type(field(), 'Yes, it is.');
  await user.click(button('Send reply'));
  await screen.findByText('This message has no email address.');
  expect(field().value).toBe('Yes, it is.');
  expect(field().getAttribute('aria-invalid')).toBeNull();
});

it("shows the server's error beside the field", async () => {
  const { user } = open(errorStatus(400, 'invalid_input', 'text contains characters that cannot be used', 'text'));
  await user.type(field(), 'Yes');
  await user.click(button('Send reply'));
  await waitFor(() => expect(note()).toBe('text contains characters that cannot be used'));
});

it('has the draft after a reload', async () => {
  const { user, unmount } = open();
  await user.type(field(), 'Half a sen');
  unmount();
  open();
  expect(field().value).toBe('Half a sen');
});

it('an error without words says what failed; the same text can be sent again', async () => {
  let response: unknown = errorStatus(500, 'internal', '');
  const { user, sent } = open(() => response);
  await user.type(field(), 'Yes, it is.');
  await user.click(button('Send reply'));
  await screen.findByText('Failed to send the reply');
  response = { message };
  await waitFor(() => expect(button('Send reply').disabled).toBe(false));
  await user.click(button('Send reply'));
  await waitFor(() => expect(field().value).toBe(''));
  expect(sent().at(-1)).toEqual({ text: 'Yes, it is.', done: false });
});
