// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { type FormEvent, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderApp } from '~/testing/render';
import { Button } from './button';

function PayOnce({ onPay }: { onPay: () => void }) {
  const [busy, setBusy] = useState(false);
  const pay = () => {
    onPay();
    setBusy(true);
  };
  return (
    <Button busy={busy} onClick={pay}>
      Pay
    </Button>
  );
}

it('cannot be pressed while it is busy, and keeps the focus', async () => {
  const pay = vi.fn();
  const { user } = renderApp(<PayOnce onPay={pay} />);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Pay' });
  await user.click(button);
  await user.click(button);
  await user.keyboard('{Enter}');
  expect(pay).toHaveBeenCalledTimes(1);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.disabled, 'a disabled element cannot have the focus').toBe(false);
});

it('sends a form once when it is clicked twice', async () => {
  const send = vi.fn((event: FormEvent) => event.preventDefault());
  const { user } = renderApp(
    <form onSubmit={send}>
      <Button type="submit">Send</Button>
    </form>,
  );
  await user.dblClick(screen.getByRole('button', { name: 'Send' }));
  expect(send).toHaveBeenCalledTimes(1);
  await user.keyboard('{Enter}');
  expect(send, 'by the keyboard as often as asked').toHaveBeenCalledTimes(2);
});
