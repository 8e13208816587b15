// What a customer has entered about a problem with a parcel, its checks and the request. The limits are those of
// crates/domain/src/problem.rs and crates/http/src/api/orders/problems.rs; the server decides.
import type { FieldErrors } from '~/lib/form/form-errors';
import { checkRequired } from '~/lib/form/validation';
import { chosenLines, type Packs } from '~/shared/order/packs';

export const MAX_PHOTOS = 5;
const MAX_MESSAGE_CHARS = 2000;

export type ProblemDraft = { packs: Record<string, Packs>; message: string; photos: readonly File[] };

export const PROBLEM_FIELDS = ['lines', 'message', 'images'] as const;
export type ProblemField = (typeof PROBLEM_FIELDS)[number];
export type ProblemErrors = FieldErrors<ProblemField>;

export const NO_PROBLEM: ProblemDraft = { packs: {}, message: '', photos: [] };

export function checkDraft({ packs, message }: Pick<ProblemDraft, 'packs' | 'message'>): ProblemErrors {
  const errors: ProblemErrors = {};
  if (chosenLines(packs).length === 0) errors.lines = 'Choose the packs that have a problem';
  const words = message.trim()
    ? checkRequired('Your message', withoutBreaks(message), MAX_MESSAGE_CHARS)
    : 'Tell us what is wrong';
  if (words) errors.message = words;
  return errors;
}

/** A message may have several lines; other control characters are errors. */
const withoutBreaks = (text: string) => text.replace(/[\r\n\t]/g, ' ');

export function problemForm({ packs, message, photos }: ProblemDraft): FormData {
  const form = new FormData();
  form.append('message', message.trim());
  form.append('lines', JSON.stringify(chosenLines(packs)));
  for (const photo of photos) form.append('images', photo);
  return form;
}
