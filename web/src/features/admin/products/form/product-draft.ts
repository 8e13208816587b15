// Drafts of the product form. They survive a reload and Back: they are stored in the tab until they are saved or
// discarded.
import type { ProductValues } from './product-form-model';

type Draft = { base: ProductValues; values: ProductValues };

const PREFIX = 'product-draft:';
const keyOf = (id: string | undefined) => PREFIX + (id ?? '');

export function readDraft(id: string | undefined): Draft | null {
  try {
    const text = sessionStorage.getItem(keyOf(id));
    return text ? (JSON.parse(text) as Draft) : null;
  } catch {
    return null;
  }
}

export function saveDraft(id: string | undefined, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(draft));
  } catch {
    // Storage may be full or disabled; the form still asks for confirmation before it is left.
  }
}

export function deleteDraft(id: string | undefined): void {
  try {
    sessionStorage.removeItem(keyOf(id));
  } catch {
    // Nothing was saved.
  }
}

export function deleteAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was saved.
  }
}
