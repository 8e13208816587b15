// Buttons and links that look like buttons, in four variants. A busy button says so, cannot be pressed and keeps the focus.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from '~/lib/router/router';

type Variant = 'primary' | 'secondary' | 'ghost' | 'accent';
type Size = 'md' | 'lg' | 'sm';

// With large text on a phone the label may be wider than the screen: then it has two lines.
const base =
  'inline-flex items-center justify-center gap-2 rounded-full font-semibold transition duration-150 ease-out select-none active:translate-y-px disabled:opacity-55 disabled:active:translate-y-0 aria-disabled:opacity-55 aria-disabled:active:translate-y-0 whitespace-nowrap max-sm:max-w-full max-sm:shrink-0 max-sm:text-center max-sm:whitespace-normal max-[20rem]:shrink';
const variants: Record<Variant, string> = {
  primary: 'bg-chilli-fill text-on-chilli shadow-card hover:enabled:bg-chilli-deep hover:bg-chilli-deep',
  secondary:
    'border-2 border-ink/80 text-ink hover:bg-ink hover:text-paper disabled:hover:bg-transparent disabled:hover:text-ink',
  ghost: 'text-ink hover:bg-paper-deep',
  accent: 'bg-turmeric text-on-turmeric shadow-card hover:brightness-105',
};
const sizes: Record<Size, string> = {
  sm: 'min-h-11 px-4 text-[0.9375rem]',
  md: 'min-h-11 px-6 text-base',
  lg: 'min-h-13 px-8 text-[1.0625rem]',
};

export function buttonClass(variant: Variant = 'primary', size: Size = 'md', extra = ''): string {
  return `${base} ${variants[variant]} ${sizes[size]} ${extra}`;
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: Variant;
  size?: Size;
  busy?: boolean;
  children: ReactNode;
};

export function Button({ variant, size, busy, className, children, type = 'button', onClick, ...rest }: Props) {
  return (
    <button
      type={type}
      className={buttonClass(variant, size, className)}
      // Not `disabled`: the focus would be lost, and after a failure the next key would begin at the top of the page.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // The second click of a double click comes when a fast response has emptied the form: it would be sent empty.
        const isSecond = type === 'submit' && event.detail > 1;
        if (busy || isSecond) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, className, ...rest }: LinkProps & { variant?: Variant; size?: Size }) {
  return <Link className={buttonClass(variant, size, className)} {...rest} />;
}

/** A round, 44 px button with an icon; `label` is its name for screen readers. */
export function IconButton({
  label,
  className = '',
  children,
  type = 'button',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      className={`relative inline-grid size-11 shrink-0 place-items-center rounded-full transition duration-150 hover:bg-paper-deep active:scale-95 disabled:opacity-35 disabled:active:scale-100 ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}

export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={`animate-spin ${className}`} fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeOpacity="0.3" strokeWidth="3" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
