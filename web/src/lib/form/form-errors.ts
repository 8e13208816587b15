// The errors of a form by field, found by its checks or sent by the server.

/** An empty text is no error. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

export function hasErrors(errors: FieldErrors<string>): boolean {
  return Object.values(errors).some(Boolean);
}

/** The one of a form's fields that the server rejected. The server names it in `field` of an error (api/error.ts). */
export function fieldOf<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  return error instanceof Error && 'field' in error ? fields.find((field) => field === error.field) : undefined;
}

/** Focuses the topmost field that shows an error. `data-invalid` marks what cannot have `aria-invalid`, such as a group. */
export function focusFirstError(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]')?.focus();
}
