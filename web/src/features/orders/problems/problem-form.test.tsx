// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '~/api/error';
import { postForm } from '~/api/upload';
import { addPhotos } from '~/shared/photo/photos';
import { testOrder } from '~/testing/order';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import ProblemForm from './problem-form';

vi.mock('~/api/upload', () => ({ postForm: vi.fn() }));
const send = vi.mocked(postForm);
beforeEach(() => {
  send.mockReset();
});

const photo = (name: string, type = 'image/jpeg', bytes = 10) => {
  const file = new File(['x'], name, { type });
  Object.defineProperty(file, 'size', { value: bytes });
  return file;
};

function open() {
  mockApi(signedIn);
  const onDone = vi.fn();
  return { ...renderApp(<ProblemForm order={testOrder} onDone={onDone} />), onDone };
}
const submit = () => screen.getByRole('button', { name: 'Send report' });
const sentForm = () => send.mock.calls[0]?.[1].form;

it('sends the packs, the words and the photos', async () => {
  send.mockResolvedValue({ problem: {} } as never);
  const { user, onDone } = open();
  await user.click(screen.getByRole('button', { name: 'More: Goda Masala, 100 g packs' }));
  await user.click(screen.getByRole('button', { name: 'More: Goda Masala, 50 g packs' }));
  await user.type(screen.getByLabelText(/What is wrong/), 'Torn\nat the seam');
  await user.upload(screen.getByLabelText('Photos', { selector: 'input' }), [
    photo('a.jpg'),
    photo('b.png', 'image/png'),
  ]);
  await user.click(submit());
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(sentForm()?.get('message')).toBe('Torn\nat the seam');
  expect(JSON.parse(String(sentForm()?.get('lines')))).toEqual([{ productId: 'goda-masala', qty_50g: 1, qty_100g: 1 }]);
  expect(sentForm()?.getAll('images')).toHaveLength(2);
});

it('more packs than were ordered cannot be chosen', async () => {
  const { user } = open();
  const more = screen.getByRole<HTMLButtonElement>('button', { name: 'More: Goda Masala, 50 g packs' });
  await user.click(more);
  await user.click(more);
  expect(more.disabled).toBe(true);
});

it('asks for packs and words before it sends anything', async () => {
  const { user } = open();
  await user.click(submit());
  screen.getByText('Choose the packs that have a problem');
  screen.getByText('Tell us what is wrong');
  expect(send).not.toHaveBeenCalled();
});

it("shows the server's error beside its field, and keeps what was entered", async () => {
  send.mockRejectedValue(new ApiError(415, 'not_an_image', 'a.jpg is no picture', 'images'));
  const { user, onDone } = open();
  await user.click(screen.getByRole('button', { name: 'More: Chai Masala, 50 g packs' }));
  await user.type(screen.getByLabelText(/What is wrong/), 'Torn');
  await user.upload(screen.getByLabelText('Photos', { selector: 'input' }), photo('a.jpg'));
  await user.click(submit());
  await screen.findByText('a.jpg is no picture');
  expect(screen.getByLabelText<HTMLTextAreaElement>(/What is wrong/).value).toBe('Torn');
  expect(onDone).not.toHaveBeenCalled();
});

it('at most five photos of at most 20 MB; one can be removed', async () => {
  const files = Array.from({ length: 6 }, (_, at) => photo(`${at}.jpg`));
  const { user } = open();
  await user.upload(screen.getByLabelText('Photos', { selector: 'input' }), files);
  screen.getByText('At most 5 photos');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose photos' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Remove photo 2, 1.jpg' }));
  expect(screen.queryByRole('button', { name: /1\.jpg/ })).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose photos' }).disabled).toBe(false);
  const wrong = [photo('film.mp4', 'video/mp4'), photo('big.jpg', 'image/jpeg', 21 * 1024 * 1024)];
  expect(addPhotos([], wrong, 5)).toEqual({
    photos: [],
    error: 'film.mp4 is not a JPEG, PNG or WebP picture. big.jpg is larger than 20 MB',
  });
});
