// The discount code of the cart, in the cart panel and on the checkout page: a field for it, what it saves, or why it
// does not apply.
import { useId, useState } from 'react';
import type { Cart } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { formatAmount } from '~/lib/format';
import { Button } from '~/ui/button';
import { inputClass } from '~/ui/forms/field';
import { Icon, IconFrame } from '~/ui/graphics/icons';
import { useDiscountMutations } from './discount-queries';

const MAX_CODE_CHARS = 24;

type Props = { cart: Cart; disabled?: boolean; className?: string };

export function DiscountCode({ cart, disabled = false, className = '' }: Props) {
  const { enter, remove } = useDiscountMutations();
  const busy = enter.isPending || remove.isPending;
  return (
    <div className={className}>
      {cart.discountCode ? (
        <EnteredCode cart={cart} disabled={disabled || busy} onRemove={() => remove.mutate()} />
      ) : (
        <CodeForm enter={enter} disabled={disabled} />
      )}
    </div>
  );
}

function EnteredCode({ cart, disabled, onRemove }: { cart: Cart; disabled: boolean; onRemove: () => void }) {
  const reason = cart.discountNotice;
  return (
    <div
      role="status"
      className={`flex items-start gap-3 rounded-md py-1.5 pr-1.5 pl-3.5 ${reason ? 'bg-turmeric-wash' : 'bg-cardamom-wash'}`}
    >
      {reason ? (
        <Icon name="alert" className="mt-2.5 size-5 shrink-0" />
      ) : (
        <Tag className="mt-2.5 size-5 shrink-0 text-cardamom" />
      )}
      <p className="min-w-0 grow py-2 leading-snug">
        <b className="font-semibold break-words">{cart.discountCode}</b>
        <span className="block text-[0.9375rem]">{reason ?? `You save ${formatAmount(cart.discountAmount)}.`}</span>
      </p>
      <Button variant="ghost" size="sm" disabled={disabled} onClick={onRemove}>
        Remove <span className="sr-only">the code {cart.discountCode}</span>
      </Button>
    </div>
  );
}

type FormProps = { enter: ReturnType<typeof useDiscountMutations>['enter']; disabled: boolean };

function CodeForm({ enter, disabled }: FormProps) {
  const [opened, setOpened] = useState(false);
  const form = useForm({ initial: { code: '' }, fields: ['code'], request: enter, onChange: 'clear-all' });
  const id = useId();
  if (!opened) {
    return (
      <button
        type="button"
        disabled={disabled}
        onClick={() => setOpened(true)}
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-ink-soft hover:text-chilli disabled:opacity-55"
      >
        <Tag className="size-5" />
        Have a discount code?
      </button>
    );
  }
  // Whatever went wrong is shown below the field.
  const error = enter.error?.message;
  const send = form.submit(({ code }) => {
    if (code.trim()) enter.mutate(code.trim());
    else form.ref.current?.querySelector('input')?.focus();
  });
  return (
    <form ref={form.ref} onSubmit={send} noValidate>
      <label htmlFor={id} className="mb-1.5 block text-[0.9375rem] font-semibold">
        Discount code
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          // Opened by a press on the button that it replaces.
          // biome-ignore lint/a11y/noAutofocus: the focus would be lost otherwise
          autoFocus
          value={form.values.code}
          maxLength={MAX_CODE_CHARS}
          disabled={form.isPending}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => form.change({ code: event.target.value.toUpperCase() })}
          className={`${inputClass} min-w-0 grow tracking-wide`}
        />
        <Button type="submit" variant="secondary" busy={form.isPending} disabled={disabled}>
          Apply
        </Button>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm font-medium text-chilli">
          {error}
        </p>
      )}
    </form>
  );
}

const Tag = ({ className }: { className: string }) => (
  <IconFrame className={className}>
    <path d="M4 4.500h7.500l8.500 8.500-7 7-8.500-8.500zM8.200 8.300v.1" />
  </IconFrame>
);
