// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '~/testing/render';
import { Stepper } from './stepper';

function Counter({ start, max }: { start: number; max: number }) {
  const [value, setValue] = useState(start);
  return <Stepper label="50 g packs" value={value} max={max} onChange={setValue} />;
}

const less = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Less: 50 g packs' });
const more = () => screen.getByRole<HTMLButtonElement>('button', { name: 'More: 50 g packs' });
const shown = () => screen.getByRole('status').textContent;

it('counts up to its maximum and down to zero', async () => {
  const { user } = renderApp(<Counter start={1} max={2} />);
  await user.click(more());
  expect(shown()).toBe('2');
  expect(more().disabled).toBe(true);
  await user.click(less());
  await user.click(less());
  expect(shown()).toBe('0');
  expect(less().disabled).toBe(true);
});

it('can go down from a quantity above the maximum', async () => {
  const { user } = renderApp(<Counter start={5} max={2} />);
  expect(more().disabled).toBe(true);
  await user.click(less());
  expect(shown()).toBe('4');
});
