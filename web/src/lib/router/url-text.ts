// A text field whose value is also in the URL. What is typed wins: the URL is written when the typing pauses, and the
// field follows the URL only when something else has changed it (Back, Forward, a link, Reset).
import { type RefObject, useEffect, useRef, useState } from 'react';
import { currentLocation, useLocation } from './router';

export const DEBOUNCE_MS = 250;

type Urls = {
  /** The value in the browser's URL at this moment, which may be newer than the one that React shows. */
  read: () => string;
  write: (text: string) => void;
  /** Of the browser's entry in the history at this moment. */
  visit: () => string;
};

export type UrlText = {
  /** A key was pressed. */
  type: (text: string) => void;
  /** Writes the pending text at once. */
  flush: () => void;
  /** The value is being written to the URL by other means, or the field no longer belongs to it. */
  reset: (written?: string) => void;
  /** React shows the URL of a visit with this value. Returns whether something other than the field changed it. */
  observe: (shown: string, visit: string) => boolean;
};

export function createUrlText({ read, write, visit }: Urls): UrlText {
  let waiting: string | undefined;
  let typedIn = '';
  let written: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;

  const stopWaiting = () => {
    clearTimeout(timer);
    waiting = undefined;
  };
  const flush = () => {
    const text = waiting;
    stopWaiting();
    if (text === undefined || text === read()) return;
    written = text;
    write(text);
  };
  return {
    type(text) {
      stopWaiting();
      waiting = text.trim();
      typedIn = visit();
      timer = setTimeout(flush, DEBOUNCE_MS);
    },
    flush,
    reset(text) {
      stopWaiting();
      written = text;
    },
    observe(shown, shownVisit) {
      // Typed before hydration: no URL has changed since.
      const isTypedFirst = isFirst && waiting !== undefined;
      isFirst = false;
      if (isTypedFirst) return false;
      // On a slow device the URL is already newer than what is shown: the newer one is shown later.
      if (shown !== read()) return false;
      if (shown === written) return false;
      // Typed in this visit, before React showed it: another field has changed the URL just before.
      if (waiting !== undefined && shownVisit === typedIn) return false;
      stopWaiting();
      written = undefined;
      return true;
    },
  };
}

/** The field's properties. `read` and `write` as above; `shown` is the value in the URL that React shows. */
export function useUrlText(shown: string, read: () => string, write: (text: string) => void) {
  const { key } = useLocation();
  const [text, setText] = useState(shown);
  const urls = useRef({ read, write });
  const [urlText] = useState(() =>
    createUrlText({
      read: () => urls.current.read(),
      write: (next) => urls.current.write(next),
      visit: () => currentLocation().key,
    }),
  );

  useEffect(() => {
    urls.current = { read, write };
  });
  useEffect(() => {
    if (urlText.observe(shown, key)) setText((now) => (now.trim() === shown ? now : shown));
  }, [urlText, key, shown]);
  useEffect(() => () => urlText.reset(), [urlText]);

  return {
    value: text,
    onChange: (event: { target: { value: string } }) => {
      setText(event.target.value);
      urlText.type(event.target.value);
    },
    onBlur: urlText.flush,
  };
}

/** Reads what was typed into a field of a server-rendered page before hydration. */
export function useTypedBefore(input: RefObject<HTMLInputElement | null>, onType: (text: string) => void): void {
  const type = useRef(onType);
  useEffect(() => {
    const text = input.current?.value;
    if (text) type.current(text);
  }, [input]);
}
