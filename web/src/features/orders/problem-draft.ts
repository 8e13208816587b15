// What a customer has entered about a problem with a parcel, its checks and the request. The limits are those of
// crates/domain/src/problem.rs and crates/http/src/problems.rs; the server decides.
import { checkRequired } from '~/api/validation';
import { chosenLines, type Packs } from '~/shared/order/packs';

export const MAX_PHOTOS = 5;
const MAX_PHOTO_BYTES = 20 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 2000;
/** Without HEIC: phones then hand over a JPEG. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

export type ProblemDraft = { packs: Record<string, Packs>; message: string; photos: readonly File[] };

export const PROBLEM_FIELDS = ['lines', 'message', 'images'] as const;
export type ProblemField = (typeof PROBLEM_FIELDS)[number];
export type ProblemErrors = Partial<Record<ProblemField, string>>;

/** The photos with those of the new files that can be sent, and why the others cannot. */
export function addPhotos(photos: readonly File[], files: readonly File[]): { photos: File[]; error: string } {
  const errors = files.map(photoError);
  const good = files.filter((_, at) => !errors[at]);
  const tooMany = photos.length + good.length > MAX_PHOTOS ? `At most ${MAX_PHOTOS} photos` : '';
  return {
    photos: [...photos, ...good].slice(0, MAX_PHOTOS),
    error: [...new Set([...errors, tooMany])].filter(Boolean).join('. '),
  };
}

function photoError({ name, type, size }: File): string {
  if (!PHOTO_TYPES.includes(type)) return `${name} is not a JPEG, PNG or WebP picture`;
  return size > MAX_PHOTO_BYTES ? `${name} is larger than 20 MB` : '';
}

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
