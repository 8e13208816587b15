// @vitest-environment happy-dom
// Timers and ingredients. Steps, quantities, keys and the lock of the screen are in web/e2e/shopping.e2e.mjs.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderApp } from '~/testing/render';
import CookMode from './cook-mode';

const product = {
  product_name: 'Goda Masala',
  recipe: ['Fry 2 onions for 10 minutes.', 'Add ½ teaspoon salt and 2 cups water. Rest for 30 seconds. Serves 4.'],
};
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('has a timer for each time of a step, which goes on in other steps and says when it is over', async () => {
  renderApp(<CookMode product={product} open onClose={() => undefined} />);
  press('Timer: 10 minutes');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Timer: 10 minutes' }).disabled).toBe(true);
  await pass(1);
  expect(screen.getByRole('timer').textContent).toBe('9:59');
  press('Next step');
  press('Timer: 30 seconds');
  await pass(30);
  expect(screen.getAllByRole('timer').map(({ textContent }) => textContent)).toEqual(['9:29', '30 seconds over']);
  expect(screen.getByRole('alert').textContent).toBe('Step 2: 30 seconds over.');
  press('Stop the timer of step 2: 30 seconds');
  await pass(569);
  expect(screen.getByRole('alert').textContent).toBe('Step 1: 10 minutes over.');
  press('Stop the timer of step 1: 10 minutes');
  expect(screen.queryByRole('list', { name: 'Timers' })).toBeNull();
});

it('tells of a timer also when it has been closed', async () => {
  const view = renderApp(<CookMode product={product} open onClose={() => undefined} />);
  press('Timer: 10 minutes');
  view.update(<CookMode product={product} open={false} onClose={() => undefined} />);
  await pass(600);
  expect(screen.getByTestId('toasts').textContent).toBe('Goda Masala, step 1: 10 minutes over');
});

it('lists what the steps measure out, for the number of people, to be ticked off', () => {
  renderApp(<CookMode product={product} open onClose={() => undefined} />);
  const list = within(screen.getByText('Ingredients').closest('details') as HTMLElement);
  const items = () => list.getAllByRole('checkbox', { hidden: true }) as HTMLInputElement[];
  const names = () => items().map(({ labels }) => labels?.[0]?.textContent?.replaceAll('\u00a0', ' '));
  expect(names()).toEqual(['2 onions', '½ teaspoon salt', '2 cups water']);
  fireEvent.click(items()[1] as HTMLInputElement);
  list.getByText('1 of 3');
  fireEvent.click(screen.getByLabelText('8 people'));
  expect(names()).toEqual(['4 onions', '1 teaspoon salt', '4 cups water']);
  expect(items().map(({ checked }) => checked)).toEqual([false, true, false]);
  press('Next step');
  list.getByText('1 of 3');
});
