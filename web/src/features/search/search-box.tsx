// The search box with its suggestions, a combobox by the ARIA pattern (arrows, Enter, Escape, click elsewhere). The parent
// decides how searching and typing change the URL.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTypedBefore } from '~/lib/router/url-text';
import { Icon } from '~/ui/graphics/icons';
import { setSearchText, useSearchText } from './search-text';
import { type SoundsLike, SUGGESTED_NAMES, suggestionsFor } from './suggestions';

const ROTATE_MS = 2500;

type Props = { onSearch: (text: string) => void; onType: (text: string) => void; onLeave: () => void };

export function SearchBox({ onSearch, onType, onLeave }: Props) {
  const text = useSearchText();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [soundsLike, setSoundsLike] = useState<SoundsLike>();
  const names = open ? suggestionsFor(text, soundsLike) : [];
  const shown = names.length > 0;
  const placeholder = useRotatingName();

  useEffect(() => {
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, []);

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const loadFolding = () => {
    // Without it the box suggests names that contain the text.
    import('./folding').then(({ soundsLike }) => setSoundsLike(() => soundsLike)).catch(() => undefined);
  };
  const choose = (name: string) => {
    setSearchText(name);
    close();
    onSearch(name);
  };
  const type = (next: string) => {
    setSearchText(next);
    setOpen(next.trim() !== '');
    setActive(-1);
    if (!soundsLike) loadFolding();
    onType(next);
  };
  const submit = () => {
    const name = names[active];
    if (name) return choose(name);
    close();
    onSearch(text.trim());
    input.current?.blur();
  };
  useTypedBefore(input, type);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && shown) {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const found = suggestionsFor(text, soundsLike);
      if (found.length === 0) return;
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((index) => (index < 0 && step < 0 ? found.length - 1 : (index + step + found.length) % found.length));
    }
  };

  return (
    <form
      ref={box}
      role="search"
      action="/sub-products"
      className="relative w-full"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        ref={input}
        type="search"
        name="search"
        role="combobox"
        aria-label="Search masalas"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        enterKeyHint="search"
        value={text}
        placeholder={`Search ${placeholder}`}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setOpen(text.trim() !== '')}
        onBlur={(event) => {
          if (box.current?.contains(event.relatedTarget)) return;
          close();
          onLeave();
        }}
        onKeyDown={onKeyDown}
        className="h-11 w-full rounded-full border border-line-strong bg-raised pr-12 pl-5 text-base placeholder:text-ink-faint [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="submit"
        aria-label="Search"
        className="absolute top-0 right-0 grid size-11 place-items-center rounded-full text-ink-soft transition hover:text-chilli"
      >
        <Icon name="search" className="size-5" />
      </button>
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden={!shown}
        className="absolute inset-x-0 top-full z-40 mt-2 scroll-hint max-h-60 overflow-y-auto rounded-lg border border-line p-2 shadow-lift"
      >
        {names.map((name, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard drives the list from the input, as a combobox does
          <div
            key={name}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(name)}
            ref={(node) => {
              if (index === active) node?.scrollIntoView({ block: 'nearest' });
            }}
            className="flex min-h-11 cursor-pointer items-center rounded-md px-4 font-medium hover:bg-paper-deep aria-selected:bg-turmeric-wash"
          >
            <Marked name={name} text={text} />
          </div>
        ))}
      </div>
    </form>
  );
}

function Marked({ name, text }: { name: string; text: string }) {
  const at = name.toLowerCase().indexOf(text.trim().toLowerCase());
  if (at < 0) return name;
  const end = at + text.trim().length;
  return (
    <span>
      {name.slice(0, at)}
      <b className="text-chilli">{name.slice(at, end)}</b>
      {name.slice(end)}
    </span>
  );
}

/** Another product name every 2.5 s; always the first one with reduced motion. */
function useRotatingName(): string {
  const [index, setIndex] = useState(0);
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setInterval(() => setIndex((now) => (now + 1) % SUGGESTED_NAMES.length), ROTATE_MS);
    return () => clearInterval(timer);
  }, []);
  return SUGGESTED_NAMES[index] ?? SUGGESTED_NAMES[0];
}
