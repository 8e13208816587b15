// The value of an Idempotency-Key header: with it the server tells a repeated request from a second one.

/** A UUID. `randomUUID` exists only under https and on localhost. */
export function newKey(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const hex = Array.from((crypto as Crypto).getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/**
 * The keys of a form: a request that is repeated has the same key, and one with other content has another. Content that
 * comes back has its first key, because that request may have succeeded although its response was lost.
 */
export function keysByContent(): (content: unknown) => string {
  const keys = new Map<string, string>();
  return (content) => {
    const text = JSON.stringify(content);
    const key = keys.get(text) ?? newKey();
    keys.set(text, key);
    return key;
  };
}
