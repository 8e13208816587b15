// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { mockApi, renderApp } from '~/testing/render';
import { useIsServed } from './estimate';

afterEach(() => vi.useRealTimers());

function Pincode() {
  return <p>{useIsServed('744101') ? 'served' : 'not served'}</p>;
}

it('asks again while the pincode is not served', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let serviceable = false;
  const requests = mockApi({
    'GET /api/pincode/744101': () => ({ Status: 'Success', PostOffice: [], delivery: { serviceable, by: null } }),
  });
  renderApp(<Pincode />);
  await screen.findByText('not served');
  serviceable = true;
  await vi.advanceTimersByTimeAsync(31_000);
  await screen.findByText('served');
  const asked = requests.length;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests).toHaveLength(asked);
});
