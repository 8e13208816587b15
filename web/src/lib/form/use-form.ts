// The state of a form: what was typed, errors by field, sending. What was typed stays when the request fails.
import { type ChangeEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { type FieldErrors, fieldOf, focusFirstError, hasErrors } from './form-errors';

/** What the form needs of the mutation that sends it. */
export type FormRequest = { error: Error | null; isPending: boolean; reset: () => void };

type Options<Values, Field extends string> = {
  /** Empty for a form whose fields keep their texts themselves, also what is typed before hydration. */
  initial: Values | (() => Values);
  /** The fields that can have an error. */
  fields: readonly Field[];
  request: FormRequest;
  /** Nothing is sent while it finds errors. */
  check?: (values: Values) => FieldErrors<Field>;
  /**
   * What a change does to the errors that are shown. `clear-field`: the error of the changed field goes. `clear-all`: all of
   * them go, because an error can depend on several fields. `check`: they follow the values.
   */
  onChange?: 'clear-field' | 'clear-all' | 'check';
};

/** What is typed in a form without `initial` values. */
export function textsOf<Name extends string>(form: HTMLFormElement | null, names: readonly Name[]) {
  const data = new FormData(form ?? undefined);
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<Name, string>;
}

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values];

export function useForm<Values extends object, Field extends string>(options: Options<Values, Field>) {
  const { initial, fields, request, check, onChange = 'clear-field' } = options;
  const [values, setValues] = useState(initial);
  const [found, setFound] = useState<FieldErrors<Field>>({});
  const [rejections, setRejections] = useState(0);
  const ref = useRef<HTMLFormElement>(null);
  const sentFrom = useRef<Element | null>(null);

  const rejected = fieldOf(request.error, fields);
  const errors: FieldErrors<Field> = {
    ...(onChange === 'check' && rejections > 0 && check?.(values)),
    ...found,
    ...(rejected && { [rejected]: request.error?.message }),
  };

  // After the errors are shown, so that a screen reader reads them with the field, and fields can be focused again.
  useEffect(() => {
    if (rejections > 0) focusFirstError(ref.current);
  }, [rejections]);
  useEffect(() => {
    if (!request.error) return;
    if (rejected) focusFirstError(ref.current);
    // A field that was disabled while the form was sent has lost the focus.
    else if (document.activeElement === document.body && sentFrom.current instanceof HTMLElement)
      sentFrom.current.focus();
  }, [request.error, rejected]);

  /** Adds errors; an empty text removes one. */
  const setErrors = (part: FieldErrors<Field>) => {
    setFound((now) => ({ ...now, ...part }));
    if (rejected && rejected in part) request.reset();
  };
  /** Shows these errors only and moves the focus to the first. */
  const showErrors = (next: FieldErrors<Field>) => {
    setFound(next);
    setRejections((count) => count + 1);
  };
  const clearErrors = (changed: string[]) => {
    if (onChange === 'clear-field') {
      setErrors(Object.fromEntries(changed.map((name) => [name, ''])) as FieldErrors<Field>);
    } else {
      setFound({});
      if (onChange === 'clear-all' && request.error) request.reset();
    }
  };
  const change = (part: Partial<Values>) => {
    setValues((now) => ({ ...now, ...part }));
    clearErrors(Object.keys(part));
  };

  return {
    ref,
    values,
    errors,
    /** Why the request failed, where the reason is not about a field. */
    error: rejected ? null : request.error,
    isPending: request.isPending,
    change,
    /** Changes values that depend on the present ones, or all of them. */
    replace: (next: (now: Values) => Values) => {
      setValues(next);
      clearErrors([]);
    },
    setErrors,
    showErrors,
    /** The properties of a text field. */
    field: (name: TextName<Values> & Field) => ({
      value: values[name] as string,
      error: errors[name],
      onChange: ({ target }: ChangeEvent<{ value: string }>) =>
        change({ [name]: target.value } as unknown as Partial<Values>),
    }),
    /** The handler that checks the values and sends them; once, until there is a response. */
    submit: (send: (values: Values) => void) => (event: SyntheticEvent) => {
      event.preventDefault();
      if (request.isPending) return;
      sentFrom.current = document.activeElement;
      if (request.error) request.reset();
      const next = check?.(values) ?? {};
      if (hasErrors(next)) return showErrors(next);
      setFound({});
      send(values);
    },
  };
}
