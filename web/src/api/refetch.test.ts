import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { cancelAndInvalidate } from './refetch';

it('does not take an answer from before the change for one from after it', async () => {
  const client = new QueryClient();
  const answers: ((packs: number) => void)[] = [];
  const queryFn = () => new Promise<number>((answer) => answers.push(answer));
  const cart = new QueryObserver(client, { queryKey: ['cart'], queryFn });
  const leave = cart.subscribe(() => {});
  expect(answers).toHaveLength(1);

  const asked = cancelAndInvalidate(client, ['cart']);
  answers[0]?.(3);
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.(0);
  await asked;
  expect(cart.getCurrentResult().data).toBe(0);
  leave();
});
