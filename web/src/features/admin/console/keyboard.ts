// Keys of the admin area: '/' and Ctrl+K go to the search, arrow keys move between the rows of a table, Enter opens a row.
import { type KeyboardEvent, useEffect } from 'react';

/** The field of the search has `data-admin-search`. Where it is hidden, the button that opens it is pressed instead. */
export function useSearchKey(): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!isSearchKey(event) || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const field = document.querySelector<HTMLInputElement>('[data-admin-search]');
      if (!field) return;
      event.preventDefault();
      field.focus();
      field.select();
      if (document.activeElement !== field) document.querySelector<HTMLElement>('[data-admin-search-button]')?.click();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isSearchKey({ key, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent): boolean {
  const isCommand = ctrlKey || metaKey;
  return !altKey && (isCommand ? key.toLowerCase() === 'k' : key === '/');
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select');
}

/** For the element around the rows, which have `data-row`. Keys of controls inside a row stay theirs. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || (!target.matches('[data-row]') && target.closest('[data-row]'))) return;
  // A dialog inside a row has keys of its own.
  if (target.closest('dialog')) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(target);
  if (key === 'Enter' && at >= 0) rows[at]?.querySelector<HTMLElement>('[aria-expanded]')?.click();
  else if (key === 'ArrowDown') rows[Math.min(at + 1, rows.length - 1)]?.focus();
  else if (key === 'ArrowUp') rows[Math.max(at - 1, 0)]?.focus();
  else if (key === 'Home') rows[0]?.focus();
  else if (key === 'End') rows.at(-1)?.focus();
  else return;
  event.preventDefault();
}
