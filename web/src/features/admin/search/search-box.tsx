// The search field of the console and what it finds, in groups: a combobox by the ARIA pattern. Each result is a link.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { errorMessage } from '~/api/error';
import { Link } from '~/lib/router/router';
import { Button, Spinner } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';
import {
  consoleSearchQuery,
  groupsOf,
  MAX_SEARCH_CHARS,
  MIN_SEARCH_CHARS,
  type SearchGroup,
} from './console-search-queries';

/** The server is asked once the typing pauses. */
const TYPING_PAUSE_MS = 250;

type Props = {
  /** The results are below the field, not over the page. */
  inline?: boolean;
  /** A result was opened. */
  onGo?: () => void;
};

export function SearchBox({ inline = false, onGo }: Props) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const asked = usePaused(text.trim());
  const isLongEnough = asked.length >= MIN_SEARCH_CHARS;
  const search = useQuery(consoleSearchQuery(asked));
  const groups = search.data && isLongEnough ? groupsOf(search.data) : [];
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const isShown = (inline || open) && text.trim() !== '';

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const go = () => {
    close();
    setText('');
    box.current?.querySelector('input')?.blur();
    onGo?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isShown && !inline) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Without a choice the first result is opened, if it is of this text.
      if (isShown && asked === text.trim()) document.getElementById(optionId(id, Math.max(active, 0)))?.click();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((index) => (index < 0 && step < 0 ? count - 1 : (index + step + count) % count));
    }
  };
  const onBlur = (event: React.FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) close();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears when the focus leaves the field and its results
    <div ref={box} className="relative" onBlur={onBlur}>
      <search aria-label="Search the console" className="relative block">
        <Icon name="search" className="pointer-events-none absolute top-3 left-4 size-5 text-ink-soft" />
        <input
          type="search"
          role="combobox"
          data-admin-search={inline ? undefined : true}
          data-autofocus={inline || undefined}
          aria-label="Search orders, customers and products"
          aria-expanded={isShown}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? optionId(id, active) : undefined}
          aria-keyshortcuts="/ Control+K"
          placeholder="Order, name, phone, tracking or invoice number"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={MAX_SEARCH_CHARS}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setActive(-1);
          }}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
          className="h-11 w-full rounded-full border border-line-strong bg-raised pr-4 pl-11 text-base text-ellipsis placeholder:text-ink-faint"
        />
      </search>
      <div
        hidden={!isShown}
        className={
          inline
            ? 'mt-3'
            : 'absolute inset-x-0 top-full z-40 mt-2 max-h-[70dvh] overflow-y-auto rounded-lg border border-line bg-raised p-2 shadow-lift'
        }
      >
        <div id={id} role="listbox" aria-label="Search results">
          <Groups groups={groups} id={id} active={active} onGo={go} />
        </div>
        {count === 0 && (
          <SearchNote
            text={asked}
            isTyping={asked !== text.trim() || search.isFetching}
            error={search.isError ? errorMessage(search.error, 'The search failed') : ''}
            onRetry={() => void search.refetch()}
          />
        )}
      </div>
    </div>
  );
}

const optionId = (id: string, index: number) => `${id}-${index}`;

type GroupsProps = { groups: SearchGroup[]; id: string; active: number; onGo: () => void };

function Groups({ groups, id, active, onGo }: GroupsProps) {
  let next = 0;
  return groups.map(({ title, hits }) => (
    <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
      {/* No paragraph: only groups and options are parts of a list of options. */}
      <div id={`${id}-${title}`} className="px-3 pt-2 pb-1 text-sm font-bold text-ink-soft">
        {title}
      </div>
      {hits.map((hit) => {
        const index = next++;
        return (
          <Link
            key={hit.key}
            id={optionId(id, index)}
            to={hit.path}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={onGo}
            onPointerDown={(event) => event.preventDefault()}
            className="block min-h-11 scroll-my-2 rounded-md px-3 py-1.5 hover:bg-paper-deep aria-selected:bg-turmeric-wash"
          >
            <span className="block font-semibold [overflow-wrap:anywhere]">{hit.title}</span>
            <span className="block text-sm text-ink-soft tabular-nums [overflow-wrap:anywhere]">{hit.note}</span>
          </Link>
        );
      })}
    </div>
  ));
}

type NoteProps = { text: string; isTyping: boolean; error: string; onRetry: () => void };

/** What is said where there are no results. */
function SearchNote({ text, isTyping, error, onRetry }: NoteProps) {
  if (isTyping)
    return (
      <p role="status" className="flex items-center gap-2.5 px-3 py-3 text-ink-soft">
        <Spinner className="size-4" />
        Searching...
      </p>
    );
  if (error)
    return (
      <p role="alert" className="flex flex-wrap items-center justify-between gap-2 px-3 py-1.5 text-chilli">
        {error}
        <Button variant="ghost" size="sm" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  return (
    <p role="status" className="px-3 py-3 text-ink-soft [overflow-wrap:anywhere]">
      {text.length < MIN_SEARCH_CHARS
        ? `Type at least ${MIN_SEARCH_CHARS} characters.`
        : `Nothing found for “${text}”.`}
    </p>
  );
}

/** The text once it has not changed for a while. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
