// Reading and writing the part after '?'. By hand, because the engine that renders pages has no URLSearchParams.

export type QueryString = { get: (name: string) => string; all: (name: string) => string[] };

export function parseQuery(search: string): QueryString {
  const pairs = search
    .replace(/^\?/, '')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const cut = pair.indexOf('=');
      return cut < 0 ? [decode(pair), ''] : [decode(pair.slice(0, cut)), decode(pair.slice(cut + 1))];
    });
  const all = (name: string) => pairs.filter(([key]) => key === name).map(([, value]) => value ?? '');
  return { all, get: (name) => all(name)[0] ?? '' };
}

export type QueryValues = Record<string, string | number | string[] | null | undefined>;

/** Empty values are left out; a list becomes a repeated parameter. */
export function buildQuery(values: QueryValues): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one) parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
    }
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

/** The same query without one parameter; what is left stays as it was written. */
export function withoutParameter(search: string, name: string): string {
  const rest = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair && decode(pair.split('=')[0] ?? '') !== name);
  return rest.length ? `?${rest.join('&')}` : '';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
