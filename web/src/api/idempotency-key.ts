// The value of an Idempotency-Key header: with it the server tells a repeated request from a second one.

/** A UUID. `randomUUID` exists only under https and on localhost. */
export function newKey(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const hex = Array.from((crypto as Crypto).getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
