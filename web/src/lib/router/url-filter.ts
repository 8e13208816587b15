// Filters in the URL: how each value is read, with its type, and how it is written. What is not valid is the default, and
// the default is not written.
import type { QueryString } from './query-string';

type Kind<Value> = { read: (text: string) => Value; write: (value: Value) => string };

export function oneOf<const Choice extends string, const Default extends Choice | ''>(
  choices: readonly Choice[],
  fallback: Default,
): Kind<Choice | Default> {
  return {
    read: (text) => choices.find((choice) => choice === text) ?? fallback,
    write: (value) => (value === fallback ? '' : value),
  };
}

/** A key of an object, such as the labels of the choices. */
export const keyOf = <const Choice extends string, const Default extends Choice | ''>(
  labels: Readonly<Record<Choice, unknown>>,
  fallback: Default,
): Kind<Choice | Default> => oneOf(Object.keys(labels) as Choice[], fallback);

/** Empty where the text is another one. */
export const matching = (pattern: RegExp): Kind<string> => ({
  read: (text) => (pattern.test(text) ? text : ''),
  write: (value) => value,
});

export const anyText: Kind<string> = { read: (text) => text.trim(), write: (value) => value };

/** `2026-11-15`, as a date field has it. */
export const day: Kind<string> = {
  read: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''),
  write: (value) => value,
};

/** From 1. */
export const pageNumber: Kind<number> = {
  read: (text) => {
    const page = Number(text);
    return Number.isSafeInteger(page) && page > 0 ? page : 1;
  },
  write: (page) => (page > 1 ? String(page) : ''),
};

type Kinds<Filter> = { [Name in keyof Filter]: Kind<Filter[Name]> };

/** The filter of a list: an object with a value for each name. */
export function urlFilter<Filter extends object>(kinds: Kinds<Filter>) {
  const names = Object.keys(kinds) as (keyof Filter & string)[];
  return {
    read: (query: QueryString): Filter =>
      Object.fromEntries(names.map((name) => [name, kinds[name].read(query.get(name))])) as Filter,
    /** The values for the URL; those that are not given are left out. */
    write: (filter: Partial<Filter>): Record<string, string> => {
      const values: Record<string, string> = {};
      for (const name of names) {
        const value = filter[name];
        if (value !== undefined) values[name] = kinds[name].write(value as Filter[typeof name]);
      }
      return values;
    },
  };
}

export type FilterOf<Url extends { read: (query: QueryString) => unknown }> = ReturnType<Url['read']>;
