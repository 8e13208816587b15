// What is typed into the product form outlives a reload and a step back: it is kept in the tab until it is saved or
// thrown away.
import type { ProductValues } from './product-rules';

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

export function keepDraft(id: string | undefined, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(draft));
  } catch {
    // Storage may be full or forbidden; the form still asks before it is left.
  }
}

export function dropDraft(id: string | undefined): void {
  try {
    sessionStorage.removeItem(keyOf(id));
  } catch {
    // Nothing was kept.
  }
}

export function dropDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
