// A page in one of the browsers: finds elements as a user does, by role, label or text, and waits until they can be used.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import { find, request, takeMessage, trackMessages } from './in-page.mjs';
import { WebDriverError } from './webdriver.mjs';

/** Long, because a page may be slow on a busy machine. */
const TIMEOUT_MS = 60_000;
/**
 * Testing Library, for the page. Not by a <script>, which the page's policy does not allow; a driver's script may. Patterns are
 * made beside it, because Firefox runs each script with a RegExp of its own.
 */
const testingLibrary = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);
const injectLibrary = `() => {
  ${testingLibrary};
  window.testingLibrary = { ...globalThis.TestingLibraryDom, pattern: (source, flags) => new RegExp(source, flags) };
}`;

/** What happens while a page is replaced, or an element moves: the next try may succeed. */
const PASSING = new Set([
  'stale element reference',
  'no such element',
  'element click intercepted',
  'element not interactable',
  'javascript error',
  'move target out of bounds',
]);
const isPassing = (error) => error instanceof WebDriverError && PASSING.has(error.code);

/** Calls `act` again and again until it returns a value other than undefined. `describe` is for the message. */
async function until(act, describe) {
  const deadline = Date.now() + TIMEOUT_MS;
  let last;
  for (;;) {
    try {
      const value = await act();
      if (value !== undefined) return value;
    } catch (error) {
      if (!isPassing(error)) throw error;
      last = error;
    }
    if (Date.now() > deadline) {
      const seen = await describe();
      throw new Error(`${seen}, waited ${TIMEOUT_MS / 1000} s`, { cause: last });
    }
    await pause(50);
  }
}

/** Reads again and again until the result is as expected: a value, or a check. */
export async function eventually(read, expected, message) {
  let seen;
  const isCheck = typeof expected === 'function';
  await until(
    async () => {
      seen = await read();
      return (isCheck ? expected(seen) : isDeepStrictEqual(seen, expected)) || undefined;
    },
    () => `${message}: ${inspect(seen)}${isCheck ? '' : `, not ${inspect(expected)}`}`,
  );
  return seen;
}

const text = (value) => (value instanceof RegExp ? { pattern: value.source, flags: value.flags } : value);

class Locator {
  constructor(page, steps) {
    this.page = page;
    this.steps = steps;
  }

  #then = (step) => new Locator(this.page, [...this.steps, step]);
  role = (role, name) => this.#then({ by: 'role', role, name: text(name) });
  label = (label) => this.#then({ by: 'label', text: text(label) });
  text = (value) => this.#then({ by: 'text', text: text(value) });
  css = (selector) => this.#then({ by: 'css', selector });
  /** Only those that contain the text. */
  having = (value) => this.#then({ by: 'having', text: text(value) });

  toString() {
    const one = ({ by, role, name, text, selector }) => {
      const value = name ?? text ?? selector ?? '';
      return `${role ?? by} ${value.pattern ? `/${value.pattern}/${value.flags}` : `'${value}'`}`;
    };
    return this.steps.map(one).join(' > ');
  }

  count = async () => (await this.page.find(this.steps, 'shown')).count ?? 0;
  shown = () =>
    until(
      async () => ((await this.count()) > 0 ? this : undefined),
      () => `${this} is not shown`,
    );
  gone = () =>
    until(
      async () => ((await this.count()) === 0 ? this : undefined),
      () => `${this} is still shown`,
    );

  /** Runs a function on the element, when it is shown. */
  read = (script) =>
    until(
      async () => {
        const { element } = await this.page.find(this.steps, 'shown');
        return element && ((await this.page.session.run(script, element)) ?? null);
      },
      () => `${this} is not shown`,
    );
  innerText = () => this.read((element) => element.innerText);
  value = () => this.read((element) => element.value);

  /** Waits until the element can be used and stands still, then acts on it. */
  async #act(act) {
    let before;
    let missing = 'element';
    await until(
      async () => {
        const seen = await this.page.find(this.steps, 'ready');
        missing = seen.missing ?? (seen.element ? 'rest' : 'element');
        const isAtRest = seen.at !== undefined && seen.at === before;
        before = seen.at;
        if (!isAtRest) return undefined;
        missing = 'free sight';
        await act(seen.element);
        return true;
      },
      () => `${this} cannot be used (no ${missing})`,
    );
  }

  click = () => this.#act((element) => this.page.session.click(element));

  /** Replaces the text of a field by typing. */
  fill = (value) =>
    this.#act(async (element) => {
      await this.page.session.run((field) => {
        field.focus();
        field.select();
      }, element);
      await this.page.session.type(element, value);
    });

  /** Files for a file field, which may be hidden behind its button. */
  async attach(...paths) {
    const { element } = await this.page.find(this.steps, 'shown');
    assert.ok(element, `${this} is missing`);
    await this.page.session.type(element, paths.join('\n'));
  }
}

export class Page {
  constructor(session, base) {
    this.session = session;
    this.base = base;
    this.#all = new Locator(this, []);
  }
  #all;

  role = (role, name) => this.#all.role(role, name);
  label = (label) => this.#all.label(label);
  text = (value) => this.#all.text(value);
  css = (selector) => this.#all.css(selector);
  dialog = (name) => this.role('dialog', name);

  async find(steps, state) {
    const seen = await this.session.run(find, steps, state);
    if (seen.missing !== 'library') return seen;
    await this.session.run(injectLibrary);
    await this.session.run(trackMessages);
    return this.session.run(find, steps, state);
  }

  async open(path) {
    await this.session.navigate(new URL(path, this.base).href);
    await this.session.run(trackMessages);
  }

  async path() {
    const { pathname, search } = new URL(await this.session.url());
    return pathname + search;
  }

  /** Waits for a path (with its query) that matches. */
  async at(pattern) {
    const isIt = (path) => (pattern instanceof RegExp ? pattern.test(path) : path === pattern);
    return until(
      async () => {
        const path = await this.path();
        return isIt(path) ? path : undefined;
      },
      async () => `the page is ${await this.path()}, not ${pattern}`,
    );
  }

  /** Waits for a toast or another message. */
  message = (pattern) =>
    until(
      async () => {
        await this.session.run(trackMessages);
        return (await this.session.run(takeMessage, pattern.source, pattern.flags)) || undefined;
      },
      () => `no message ${pattern}`,
    );

  /** Sends a request of the user who is signed in here. */
  send = async (method, path, data) => {
    const { status, text } = await this.session.runAsync(request, method, path, data ?? null);
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  };
}
