// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { FieldErrors } from './form-errors';
import { textsOf, useForm } from './use-form';

type Values = { name: string; phone: string };
const FIELDS = ['name', 'phone'] as const;

const checkNames = ({ name, phone }: Values): FieldErrors<'name' | 'phone'> => ({
  name: name ? '' : 'Name is required',
  phone: phone ? '' : 'Phone is required',
});

type Props = {
  onChange?: 'clear-field' | 'clear-all' | 'check';
  check?: typeof checkNames;
  initial?: Values;
  send: (values: Values) => void;
};

/** The mutation as React Query has it: an error and a pending request are its state. */
let fail: (error: Error) => void;
let wait: () => void;

function TestForm({ onChange, check, initial = { name: '', phone: '' }, send }: Props) {
  const [error, setError] = useState<Error | null>(null);
  const [isPending, setPending] = useState(false);
  const form = useForm<Values, 'name' | 'phone'>({
    initial,
    fields: FIELDS,
    request: { error, isPending, reset: () => setError(null) },
    check,
    onChange,
  });
  fail = (next) => {
    setError(next);
    setPending(false);
  };
  wait = () => setPending(true);
  return (
    <form ref={form.ref} onSubmit={form.submit(send)} noValidate>
      {FIELDS.map((name) => (
        <div key={name}>
          <input
            aria-label={name}
            disabled={form.isPending}
            aria-invalid={form.errors[name] ? true : undefined}
            {...{ ...form.field(name), error: undefined }}
          />
          <p data-testid={`${name}-error`}>{form.errors[name]}</p>
        </div>
      ))}
      <p role="alert">{form.error?.message}</p>
      <button type="submit">Save</button>
    </form>
  );
}

afterEach(cleanup);

function open(props: Omit<Props, 'send'> = {}) {
  const send = vi.fn();
  render(<TestForm {...props} send={send} />);
  return { send, user: userEvent.setup() };
}

const input = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const errorOf = (name: string) => screen.getByTestId(`${name}-error`).textContent;
const alert = () => screen.getByRole('alert').textContent;
const press = (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('button'));
const rejection = (field: string, text: string) => Object.assign(new Error(text), { field });
const filled = { name: 'Asha', phone: '98765 43210' };

/** Lets the request that was sent fail. */
function reject(error: Error) {
  act(() => wait());
  act(() => fail(error));
}

it('sends nothing while the check finds errors, and moves the focus to the first', async () => {
  const { user, send } = open({ check: checkNames });
  await press(user);
  expect([errorOf('name'), errorOf('phone')]).toEqual(['Name is required', 'Phone is required']);
  expect(document.activeElement).toBe(input('name'));
  await user.type(input('name'), 'Asha');
  await press(user);
  expect(document.activeElement).toBe(input('phone'));
  expect(send).not.toHaveBeenCalled();
  await user.type(input('phone'), '98765');
  await press(user);
  expect(send.mock.calls).toEqual([[{ name: 'Asha', phone: '98765' }]]);
});

it('shows what the server rejects beside its field, with the focus, and keeps what was typed', async () => {
  const { user, send } = open({ initial: filled });
  await press(user);
  expect(send).toHaveBeenCalledTimes(1);
  reject(rejection('phone', 'Ten digits, please'));
  expect([errorOf('name'), errorOf('phone'), alert()]).toEqual(['', 'Ten digits, please', '']);
  expect(document.activeElement).toBe(input('phone'));
  expect([input('name').value, input('phone').value]).toEqual([filled.name, filled.phone]);
  // It goes with the text that it is about.
  await user.type(input('name'), '!');
  expect(errorOf('phone')).toBe('Ten digits, please');
  await user.type(input('phone'), '1');
  expect(errorOf('phone')).toBe('');
});

it('shows an error that is about no field of the form on its own, until it is sent again', async () => {
  const { user } = open({ initial: filled });
  await press(user);
  for (const error of [new Error('Failed'), rejection('mrp', 'mrp is wrong')]) {
    reject(error);
    expect([errorOf('name'), errorOf('phone'), alert()]).toEqual(['', '', error.message]);
    await user.type(input('name'), '!');
    expect(alert()).toBe(error.message);
    await press(user);
    expect(alert()).toBe('');
  }
});

it('is not sent twice', async () => {
  const { user, send } = open({ initial: filled });
  act(() => wait());
  await press(user);
  expect(send).not.toHaveBeenCalled();
});

it('a change removes the error of its field, all errors, or those that no longer hold', async () => {
  for (const [onChange, expected] of [
    ['clear-field', ['', 'Phone is required']],
    ['clear-all', ['', '']],
    ['check', ['', 'Phone is required']],
  ] as const) {
    const { user } = open({ check: checkNames, onChange });
    await press(user);
    await user.type(input('name'), 'A');
    expect([errorOf('name'), errorOf('phone')], onChange).toEqual(expected);
    expect(document.activeElement, 'typing does not move the focus').toBe(input('name'));
    await user.clear(input('name'));
    expect(errorOf('name'), onChange).toBe(onChange === 'check' ? 'Name is required' : '');
    cleanup();
  }
});

it("with 'clear-all' a change also removes the error of the request", async () => {
  const { user } = open({ initial: filled, onChange: 'clear-all' });
  reject(new Error('Failed'));
  await user.type(input('name'), '!');
  expect(alert()).toBe('');
});

it('reads the texts of a form that keeps them itself', () => {
  const form = document.createElement('form');
  form.innerHTML = '<input name="name" value="Asha"><textarea name="message">Namaste</textarea>';
  expect(textsOf(form, ['name', 'message', 'email'])).toEqual({ name: 'Asha', message: 'Namaste', email: '' });
});
