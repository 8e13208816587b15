// What a customer has entered for a review, and the request. The limits are those of crates/domain/src/review.rs; the
// server decides. Stars and text of a visitor are kept in the tab while they sign in.

export const MAX_REVIEW_PHOTOS = 3;
export const MAX_REVIEW_CHARS = 2000;

export type ReviewDraft = {
  /** 0: not chosen yet. */
  stars: number;
  text: string;
  /** URLs of stored photos that stay. */
  kept: readonly string[];
  photos: readonly File[];
};

export const REVIEW_FIELDS = ['stars', 'text', 'images'] as const;
export type ReviewErrors = Partial<Record<(typeof REVIEW_FIELDS)[number], string>>;

export function checkReview({ stars, text }: Pick<ReviewDraft, 'stars' | 'text'>): ReviewErrors {
  const errors: ReviewErrors = {};
  if (stars < 1) errors.stars = 'Choose from one to five stars';
  if ([...text.trim()].length > MAX_REVIEW_CHARS) errors.text = `At most ${MAX_REVIEW_CHARS} characters`;
  return errors;
}

/** The texts come before the photos: the server checks them first. */
export function reviewForm(productId: string, draft: ReviewDraft, isEdit: boolean): FormData {
  const form = new FormData();
  if (!isEdit) form.append('productId', productId);
  form.append('stars', String(draft.stars));
  form.append('text', draft.text.trim());
  if (isEdit) form.append('keepImages', JSON.stringify(draft.kept));
  for (const photo of draft.photos) form.append('images', photo);
  return form;
}

/** Stars of a link: anything else is none. */
export function parseStars(text: string): number {
  return /^[1-5]$/.test(text) ? Number(text) : 0;
}

const key = (productId: string) => `review-draft:${productId}`;

type StoredDraft = Pick<ReviewDraft, 'stars' | 'text'>;

export function storeDraft(productId: string, { stars, text }: StoredDraft): void {
  try {
    sessionStorage.setItem(key(productId), JSON.stringify({ stars, text }));
  } catch {
    // Without storage the draft is lost at sign-in.
  }
}

export function loadDraft(productId: string): StoredDraft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key(productId)) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { stars, text } = stored as Record<string, unknown>;
    return { stars: parseStars(String(stars)), text: typeof text === 'string' ? text : '' };
  } catch {
    return null;
  }
}

export function deleteDraft(productId: string): void {
  try {
    sessionStorage.removeItem(key(productId));
  } catch {
    // There is none.
  }
}
