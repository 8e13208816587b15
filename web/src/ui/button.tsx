// Buttons and links that look like buttons. One of three weights; a busy button says so and cannot be pressed twice.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

type Look = 'primary' | 'secondary' | 'quiet' | 'turmeric';
type Size = 'md' | 'lg' | 'sm';

const base =
  'inline-flex items-center justify-center gap-2 rounded-full font-semibold transition duration-150 ease-out select-none active:translate-y-px disabled:opacity-55 disabled:active:translate-y-0 whitespace-nowrap';
const looks: Record<Look, string> = {
  primary: 'bg-chilli-fill text-on-chilli shadow-card hover:enabled:bg-chilli-deep hover:bg-chilli-deep',
  secondary:
    'border-2 border-ink/80 text-ink hover:bg-ink hover:text-paper disabled:hover:bg-transparent disabled:hover:text-ink',
  quiet: 'text-ink hover:bg-paper-deep',
  turmeric: 'bg-turmeric text-on-turmeric shadow-card hover:brightness-105',
};
const sizes: Record<Size, string> = {
  sm: 'min-h-11 px-4 text-[0.9375rem]',
  md: 'min-h-11 px-6 text-base',
  lg: 'min-h-13 px-8 text-[1.0625rem]',
};

export function buttonClass(look: Look = 'primary', size: Size = 'md', extra = ''): string {
  return `${base} ${looks[look]} ${sizes[size]} ${extra}`;
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look;
  size?: Size;
  busy?: boolean;
  children: ReactNode;
};

export function Button({ look, size, busy, className, children, disabled, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      className={buttonClass(look, size, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({ look, size, className, ...rest }: LinkProps & { look?: Look; size?: Size }) {
  return <Link className={buttonClass(look, size, className)} {...rest} />;
}

/** A round, 44 px button with nothing but an icon; its name is for those who cannot see it. */
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
    <svg viewBox="0 0 24 24" className={`spin ${className}`} fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeOpacity="0.3" strokeWidth="3" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
