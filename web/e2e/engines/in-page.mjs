// Functions that run in the page. Each is sent as text, so it uses nothing outside itself.

/**
 * Finds the visible elements of a locator with Testing Library, which the session injects. `state` says what the first one
 * must be: 'shown', or 'ready' for an action: scrolled into view, hydrated, enabled, and at rest.
 */
export function find(steps, state) {
  const library = window.testingLibrary;
  if (!library) return { missing: 'library' };
  const matcher = (text) => (text?.pattern === undefined ? text : library.pattern(text.pattern, text.flags));
  // The radio buttons of stars are transparent, above the stars.
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: !element.matches('input'), visibilityProperty: true });
  const queries = {
    role: (parent, { role, name }) =>
      library.queryAllByRole(parent, role, { name: matcher(name) ?? undefined, hidden: true }),
    label: (parent, { text }) => library.queryAllByLabelText(parent, matcher(text)),
    text: (parent, { text }) => library.queryAllByText(parent, matcher(text), { ignore: 'script, style, title' }),
    css: (parent, { selector }) => [...parent.querySelectorAll(selector)],
    having: (parent, { text }) => (library.queryAllByText(parent, matcher(text)).length ? [parent] : []),
  };
  let found = [document.body];
  for (const step of steps) {
    found = [...new Set(found.flatMap((parent) => queries[step.by](parent, step)))];
    // A file field is hidden behind its button.
    if (step.by !== 'css') found = found.filter(shown);
  }
  const [element] = found;
  if (!element || state === 'shown') return { element, count: found.length };

  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const isHydrated = !element.closest('#root') || Object.keys(element).some((key) => key.startsWith('__reactProps$'));
  if (!isHydrated) return { missing: 'hydration' };
  if (element.disabled) return { missing: 'enabled' };
  const { x, y, width, height } = element.getBoundingClientRect();
  // Radios and checkboxes of the design system are small; their label is what is pressed.
  const isMark = element.matches('input[type=radio], input[type=checkbox]') && width * height < 100;
  return { element: isMark ? element.labels[0] : element, at: [x, y, width, height].map(Math.round).join(), count: 1 };
}

/** Keeps the messages that the page shows: a toast may be gone before the next look at it. */
export function trackMessages() {
  if (window.shownMessages) return;
  window.shownMessages = new Set();
  const selector = '[role="status"], [role="alert"]';
  const note = () => {
    for (const one of document.querySelectorAll(selector))
      window.shownMessages.add(one.textContent.replace(/\s+/g, ' '));
  };
  note();
  new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Whether a message is shown or was shown since the page was loaded or the message was taken last. */
export function takeMessage(pattern, flags) {
  const all = [...(window.shownMessages ?? [])].filter((text) => new RegExp(pattern, flags).test(text));
  for (const text of all) window.shownMessages.delete(text);
  return all.length > 0;
}

/** A request of the page's user. */
export async function request(method, path, data) {
  const response = await fetch(path, {
    method,
    headers: data ? { 'content-type': 'application/json' } : {},
    body: data ? JSON.stringify(data) : undefined,
  });
  return { status: response.status, text: await response.text() };
}
