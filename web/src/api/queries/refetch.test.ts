import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { userKeys } from './query-keys';
import { cancelAndInvalidate } from './refetch';

it('a response requested before the change does not overwrite the new data', async () => {
  const client = new QueryClient();
  const responses: ((packs: number) => void)[] = [];
  const queryFn = () => new Promise<number>((respond) => responses.push(respond));
  const cart = new QueryObserver(client, { queryKey: userKeys.cart, queryFn });
  const leave = cart.subscribe(() => {});
  expect(responses).toHaveLength(1);

  const refetched = cancelAndInvalidate(client, userKeys.cart);
  responses[0]?.(3);
  await expect.poll(() => responses).toHaveLength(2);
  responses[1]?.(0);
  await refetched;
  expect(cart.getCurrentResult().data).toBe(0);
  leave();
});
