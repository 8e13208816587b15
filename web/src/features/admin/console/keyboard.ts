// Keys of the admin area: '/' goes to the search field, arrow keys move between the rows of a table, Enter opens a row.
import { type KeyboardEvent, useEffect } from 'react';

/** The field that '/' focuses has `data-admin-search`. */
export function useSearchKey(): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const field = document.querySelector<HTMLInputElement>('[data-admin-search]');
      if (!field || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.closest('details')?.setAttribute('open', '');
      field.focus();
      field.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
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
