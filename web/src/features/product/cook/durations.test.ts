import { expect, it } from 'vitest';
import { clockText, durationsOf } from './durations';

const texts = (step: string) => durationsOf(step).map(({ seconds, text }) => `${seconds} s: ${text}`);

it('finds the times of a step, the shorter of two, each once', () => {
  expect(texts('Fry for 10 minutes, then 1 minute more. Cook for 10 minutes.')).toEqual([
    '600 s: 10 minutes',
    '60 s: 1 minute',
  ]);
  expect(texts('Roast for 6 to 8 minutes, rest 1½ hours, crackle for 30 seconds, wait ½ hour.')).toEqual([
    '360 s: 6 minutes',
    '5400 s: 1½ hours',
    '30 s: 30 seconds',
    '1800 s: ½ hour',
  ]);
});

it('finds none in other numbers, and none that takes a day', () => {
  expect(texts('Soak 2 cups rice for 18 hours. Bake at 200 °C. Pressure-cook for 6 whistles. Sun for 5 days.')).toEqual(
    [],
  );
});

it('writes what is left as a clock', () => {
  expect([600, 65, 9, 0, 5400].map(clockText)).toEqual(['10:00', '1:05', '0:09', '0:00', '1:30:00']);
});
