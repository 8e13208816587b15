// The search box with its suggestions, a combobox by the ARIA pattern (arrows, Enter, Escape, click elsewhere). The parent
// decides how searching and typing change the URL.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { suggestionsQuery } from '~/api/queries/catalogue';
import { formatPrice } from '~/lib/format';
import { useTypedBefore } from '~/lib/router/url-text';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Icon } from '~/ui/graphics/icons';
import { setSearchText, useSearchText } from './search-text';
import { SUGGESTED_NAMES, type Suggestion, suggestionsFor } from './suggestions';

const ROTATE_MS = 2500;
/** The server is asked once the typing pauses. */
const TYPING_PAUSE_MS = 150;
const MIN_SEARCHED_CHARS = 2;

type Props = { onSearch: (text: string) => void; onType: (text: string) => void; onLeave: () => void };

export function SearchBox({ onSearch, onType, onLeave }: Props) {
  const text = useSearchText();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const suggestions = useSuggestions(text, open);
  const shown = open && suggestions.length > 0;
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
  const choose = (name: string) => {
    setSearchText(name);
    close();
    onSearch(name);
  };
  const type = (next: string) => {
    setSearchText(next);
    setOpen(next.trim() !== '');
    setActive(-1);
    onType(next);
  };
  const submit = () => {
    const chosen = shown ? suggestions[active] : undefined;
    if (chosen) return choose(chosen.name);
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
      const { length } = suggestions;
      if (length === 0) return;
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((index) => (index < 0 && step < 0 ? length - 1 : (index + step + length) % length));
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
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard drives the list from the input, as a combobox does
          <div
            key={suggestion.name}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(suggestion.name)}
            ref={(node) => {
              if (index === active) node?.scrollIntoView({ block: 'nearest' });
            }}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-2 py-1 font-medium hover:bg-paper-deep aria-selected:bg-turmeric-wash"
          >
            <SuggestionRow suggestion={suggestion} text={text} />
          </div>
        ))}
      </div>
    </form>
  );
}

/** Picture and price come later than a fixed name; their places are kept. */
function SuggestionRow({ suggestion: { name, image, price }, text }: { suggestion: Suggestion; text: string }) {
  return (
    <>
      <span className="size-10 shrink-0 overflow-hidden rounded-md bg-paper-deep" aria-hidden="true">
        {image !== undefined && (
          <ProductImage
            source={fileImage(image)}
            name={name}
            sizes="40px"
            widths={[64, 160]}
            alt=""
            className="size-full object-cover"
          />
        )}
      </span>
      <Marked name={name} text={text} />
      {typeof price === 'number' && (
        // Generated content, so that the option's name is that of the product.
        <span
          aria-hidden="true"
          data-price={formatPrice(price)}
          className="ml-auto pl-2 text-ink-soft tabular-nums before:content-[attr(data-price)]"
        />
      )}
    </>
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

function useSuggestions(text: string, isOpen: boolean): Suggestion[] {
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim().toLowerCase()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data = [] } = useQuery({
    ...suggestionsQuery(searched),
    enabled: isOpen && searched.length >= MIN_SEARCHED_CHARS,
    // The list stays while more is typed.
    placeholderData: keepPreviousData,
  });
  return suggestionsFor(text, text.trim().length < MIN_SEARCHED_CHARS ? [] : data);
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
