// A labelled input, its hint and its error, wired together for screen readers.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { Icon } from '../graphics/more-icons';

export const inputClass =
  'w-full min-h-12 rounded-md border border-line-strong bg-raised px-4 py-2.5 text-base text-ink placeholder:text-ink-faint transition hover:border-ink-soft aria-invalid:border-chilli';

type Common = { label: string; hint?: ReactNode; error?: string };

export function Field({ label, hint, error, className = '', ...rest }: Common & InputHTMLAttributes<HTMLInputElement>) {
  const { id, describedBy, frame } = useFrame(label, hint, error, rest.required);
  return frame(
    <input
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy}
      className={inputClass}
      {...rest}
    />,
    className,
  );
}

export function TextArea({
  label,
  hint,
  error,
  className = '',
  ...rest
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, describedBy, frame } = useFrame(label, hint, error, rest.required);
  return frame(
    <textarea
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy}
      className={inputClass}
      {...rest}
    />,
    className,
  );
}

export function Select({
  label,
  hint,
  error,
  className = '',
  ...rest
}: Common & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, describedBy, frame } = useFrame(label, hint, error, rest.required);
  return frame(
    <div className="relative">
      <select
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        className={`${inputClass} appearance-none pr-11`}
        {...rest}
      />
      <Icon name="down" className="pointer-events-none absolute top-3.5 right-3.5 size-5 text-ink-soft" />
    </div>,
    className,
  );
}

function useFrame(label: string, hint: ReactNode, error: string | undefined, required: boolean | undefined) {
  const id = useId();
  const note = error || hint;
  const frame = (control: ReactNode, className: string) => (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-[0.9375rem] font-semibold">
        {label}
        {required && (
          <span className="text-chilli" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      {control}
      {note && (
        <p id={`${id}-note`} className={`mt-1.5 text-sm ${error ? 'text-chilli' : 'text-ink-soft'}`}>
          {note}
        </p>
      )}
    </div>
  );
  return { id, describedBy: note ? `${id}-note` : undefined, frame };
}
