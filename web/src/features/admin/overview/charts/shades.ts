// Shades for maps: more is darker on paper and stronger in the dark theme. Text on each of them is readable.

const SHADES = [
  { fill: 'var(--paper-deep)', text: 'var(--ink-soft)' },
  { fill: 'color-mix(in srgb, var(--chilli-fill) 14%, var(--surface))', text: 'var(--ink)' },
  { fill: 'color-mix(in srgb, var(--chilli-fill) 34%, var(--surface))', text: 'var(--ink)' },
  { fill: 'color-mix(in srgb, var(--chilli-fill) 90%, var(--surface))', text: 'var(--on-chilli)' },
  { fill: 'var(--chilli-deep)', text: 'var(--on-chilli)' },
] as const;

/** Zero has a shade of its own; the others are by the root, so that one large value does not hide the rest. */
export function shadeOf(value: number, max: number) {
  if (value <= 0 || max <= 0) return SHADES[0];
  const level = Math.min(4, Math.max(1, Math.ceil(Math.sqrt(value / max) * 4)));
  return SHADES[level] ?? SHADES[0];
}

export { SHADES };
