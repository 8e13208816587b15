// Fixtures of all browser tests: Chromium against a running server, a new visitor for each test. A test fails when the
// page writes warnings or errors to its console.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { request as apiRequests, chromium } from 'playwright-core';
import { unmockApi } from './api-mocks.mjs';

export const base = process.env.MIRASA_E2E_URL ?? 'http://127.0.0.1:8080';
/** The headless shell, where it is installed: it needs a third of the time for the same pages. */
const executablePath = ['/usr/bin/chromium-headless-shell', process.env.MIRASA_CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);
/** Long, because a page may be slow on a busy machine. */
const TIMEOUT_MS = 60_000;
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No requests leave the machine; only the map would send any.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

export const desktop = { width: 1440, height: 900 };
export const tablet = { width: 768, height: 1024 };
export const phone = { width: 390, height: 844 };

/** The response of an API error, for `request.fulfill` of a mock. */
export const failure = (status, code, text, field) => ({ status, json: { error: text, message: text, code, field } });

let browser;
export async function openBrowser() {
  browser = await chromium.launch({ executablePath, args });
}
export const closeBrowser = () => browser?.close();

/** A page in a browser of its own, with the back/forward cache: Playwright turns it off, and the headless shell has none. */
export async function openPageWithBfcache() {
  const own = await chromium.launch({
    executablePath: process.env.MIRASA_CHROMIUM ?? '/usr/bin/chromium',
    args: [...args, '--headless=new'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const context = await own.newContext({ viewport: desktop, baseURL: base, serviceWorkers: 'block' });
  await context.addInitScript(trackRequests);
  return { page: await context.newPage(), close: () => own.close() };
}

/** The tests of the file that is being imported, in their order. */
export const tests = [];
export const TEST_TIMEOUT_MS = 3 * TIMEOUT_MS;

/**
 * A warning that the browser prints some seconds after a preload. It was seen once, on a busy machine, about an image that
 * the page shows; the cause is not known. A test in pages.e2e.mjs checks what it is about: that preloaded images are used.
 */
const UNUSED_PRELOAD = /was preloaded using link preload but not used within a few seconds/;

/** See `serviceWorkers` below. */
const BLOCKED_WORKER = /Service Worker registration blocked by Playwright/;

/** Where the trace and the screenshot of a failed test are saved. */
export const RESULTS = fileURLToPath(new URL('../test-results/', import.meta.url));

/**
 * Snapshots of the page before and after each action make a trace easier to read, but every test slower: on a busy machine
 * tests about toasts, which are shown for two seconds, then fail.
 */
const TRACE_SNAPSHOTS = process.env.MIRASA_E2E_SNAPSHOTS === '1';

/**
 * A test named after a sentence of the specification. `expected` lists console texts that the test provokes itself.
 */
export function test(name, act, { viewport = desktop, expected = [], ...options } = {}) {
  const run = async (suite) => {
    const messages = [];
    const known = [/openstreetmap/, UNUSED_PRELOAD, BLOCKED_WORKER, ...expected];
    const visitor = await acquireContext({ viewport, ...options });
    const onConsole = (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(`${message.text()} (${message.location().url})`);
    };
    const onError = (failure) => messages.push(failure.error().message);
    visitor.context.on('console', onConsole).on('weberror', onError);
    await visitor.context.tracing.startChunk({ title: `${suite}: ${name}` });
    let passed = false;
    try {
      await withDeadline(act(visitor));
      const unexpected = messages.filter((text) => !known.some((pattern) => pattern.test(text)));
      assert.deepEqual(unexpected, [], 'the console is quiet');
      passed = true;
    } finally {
      visitor.context.off('console', onConsole).off('weberror', onError);
      if (passed) await visitor.context.tracing.stopChunk();
      else await saveFailure(visitor, `${suite} ${name}`);
      await releaseContext(visitor, passed);
    }
  };
  tests.push({ name, run });
}

/**
 * Ends a test that waits for something without a limit of its own, such as a script of the page. By the test runner's timeout
 * it would end without a trace, and would not be tried again.
 */
export async function withDeadline(act) {
  const timer = new AbortController();
  const late = pause(TEST_TIMEOUT_MS, null, { signal: timer.signal }).then(() => {
    throw new Error(`not finished after ${TEST_TIMEOUT_MS / 1000} s`);
  });
  late.catch(() => undefined);
  try {
    await Promise.race([act, late]);
  } finally {
    timer.abort();
  }
}

/** Saves a screenshot and a trace (to open with `npx playwright show-trace FILE`). Must not hide the test's own error. */
async function saveFailure({ context, page }, name) {
  const file = join(
    RESULTS,
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 100),
  );
  try {
    await context.tracing.stopChunk({ path: `${file}.zip` });
    await page.screenshot({ path: `${file}.png`, timeout: 5_000 });
    console.error(`Saved ${file}.zip and .png`);
  } catch (error) {
    console.error(`The trace of '${name}' is incomplete: ${error.message}`);
  }
}

/**
 * Contexts that no test uses now. The next test with the same options uses one again, cleared of what the last test left,
 * because creating a context takes a quarter of a test's time.
 */
const contextPool = [];
/**
 * Pages with changes that `releaseContext` does not undo. It undoes routes, cookies, storage, permissions, the size and the
 * listeners that tests use today; a test that changes more adds its page here.
 */
const dirtyPages = new WeakSet();

/** Another visitor beside that of the test, in a context that is used again. */
export async function withVisitor({ viewport = desktop, ...options }, act) {
  const visitor = await acquireContext({ viewport, ...options });
  let passed = false;
  try {
    const result = await act(visitor.page);
    passed = true;
    return result;
  } finally {
    await releaseContext(visitor, passed);
  }
}

/** Somebody who only sends requests: `signIn` and `send` take them in place of a page. */
export async function withClient(act) {
  const request = await apiRequests.newContext({ baseURL: base });
  try {
    return await act({ request });
  } finally {
    await request.dispose();
  }
}

async function acquireContext(options) {
  const key = JSON.stringify(options);
  const free = contextPool.findIndex((visitor) => visitor.key === key);
  if (free >= 0) return contextPool.splice(free, 1)[0];
  const context = await newVisitor(options);
  await context.tracing.start({ snapshots: TRACE_SNAPSHOTS });
  const page = await context.newPage();
  // A service worker and its caches would stay.
  if (options.serviceWorkers === 'allow') dirtyPages.add(page);
  return { key, viewport: options.viewport, context, page };
}

async function releaseContext(visitor, passed) {
  const { context, page } = visitor;
  for (const open of context.pages()) {
    await unmockApi(open);
    await open.unrouteAll({ behavior: 'ignoreErrors' });
  }
  const hasOnePage = context.pages().length === 1 && context.pages()[0] === page;
  if (!passed || !hasOnePage || dirtyPages.has(page)) return context.close();
  for (const event of ['request', 'dialog']) await page.removeAllListeners(event);
  await context.clearPermissions();
  await page.setViewportSize(visitor.viewport);
  // Navigate first: the page could write to the storage again.
  await page.goto('/healthz');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  contextPool.push(visitor);
}

/**
 * A new visitor with a browser context of their own: no cookies, no storage. With reduced motion, because drawing
 * transitions takes a third of the time; a test about motion uses `withMotion`.
 */
export async function newVisitor(options = {}) {
  const context = await browser.newContext({
    viewport: desktop,
    baseURL: base,
    reducedMotion: 'reduce',
    // A service worker would hide requests from the tests' routes. service-worker.e2e.mjs has the main flows with it.
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(trackRequests);
  await context.addInitScript(trackMessages);
  await context.addInitScript(disableEffects);
  return context;
}

/** Options of a test about motion. */
export const withMotion = { reducedMotion: 'no-preference' };

/** Runs in the page: blurs and shadows are slow without a graphics card, and no test needs them. */
function disableEffects() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { backdrop-filter: none !important; box-shadow: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** Runs in the page, before its own scripts: counts the requests that are under way. */
function trackRequests() {
  window.pendingRequests = 0;
  const counted =
    (call) =>
    async (...args) => {
      window.pendingRequests++;
      try {
        return await call(...args);
      } finally {
        window.pendingRequests--;
      }
    };
  window.fetch = counted(window.fetch.bind(window));
  const { json } = Response.prototype;
  Response.prototype.json = function () {
    return counted(() => json.call(this))();
  };
}

/**
 * Waits until the page is idle: every control is hydrated, no request is under way, and five frames have passed in which
 * no response led to another request.
 */
export async function waitForIdle(page) {
  await page.waitForFunction((visit) => {
    const controls = document.querySelectorAll('#root :is(a, button, input, select, textarea)');
    // A part of the page that is out of view is hydrated when it is seen (src/lib/hydration/hydration-island.tsx).
    const isUnseen = (control) => {
      let part = control;
      while (part && part.previousElementSibling?.tagName !== 'TEMPLATE') part = part.parentElement;
      if (!part) return false;
      const { top, bottom } = part.getBoundingClientRect();
      return bottom <= 0 || top >= window.innerHeight;
    };
    const isHydrated = (control) =>
      Object.keys(control).some((key) => key.startsWith('__reactProps$')) || isUnseen(control);
    const isIdle = window.pendingRequests === 0 && controls.length > 0 && [...controls].every(isHydrated);
    if (window.idle?.visit !== visit) window.idle = { visit, frames: 0 };
    window.idle.frames = isIdle ? window.idle.frames + 1 : 0;
    return window.idle.frames > 4;
  }, visits++);
}
let visits = 0;

/** The page is no wider than a phone, a tablet and a desktop; then it has its size again. */
export async function expectNoSidewaysScroll(page, what) {
  const size = page.viewportSize();
  for (const viewport of [desktop, tablet, phone]) {
    await page.setViewportSize(viewport);
    await waitForIdle(page);
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    assert.equal(scrollWidth, clientWidth, `${what ?? ''} at ${viewport.width} px`);
  }
  await page.setViewportSize(size);
  await waitForIdle(page);
}

export async function open(page, path) {
  const response = await goto(page, path);
  await waitForIdle(page);
  return response;
}

/** A dialog that was just closed goes back in the history, which ends a navigation that began meanwhile. */
async function goto(page, path) {
  const visit = () => page.goto(path, { waitUntil: 'domcontentloaded' });
  return visit().catch((failure) => {
    if (!failure.message.includes('ERR_ABORTED')) throw failure;
    return visit();
  });
}

/**
 * Reads again and again until the result is as expected: a value, a pattern, or a check. React renders a little after an
 * action.
 */
export async function eventually(read, expected, message) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      const seen = await read();
      if (expected instanceof RegExp) assert.match(seen, expected, message);
      else if (typeof expected === 'function')
        assert.ok(expected(seen), `${message ?? 'as expected'}: ${inspect(seen)}`);
      else assert.deepEqual(seen, expected, message);
      return seen;
    } catch (failure) {
      if (Date.now() > deadline) throw failure;
      await pause(40);
    }
  }
}

/**
 * Opens a page with a fake clock that advances only with `page.clock.runFor`: intervals are tested to the millisecond, on
 * a busy machine too. The clock starts at `time`, if one is given.
 */
export async function openWithFakeClock(page, path, time = Date.now()) {
  dirtyPages.add(page);
  await page.clock.install({ time });
  await open(page, path);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Runs a script in the page before its own, on every page from now on. No other test uses the page afterwards. */
export async function addInitScript(page, script) {
  dirtyPages.add(page);
  await page.addInitScript(script);
}

/** Advances a page's fake clock in small steps until `isSo`; returns how long that took. */
export async function timeUntil(page, isSo, step = 100) {
  let passed = 0;
  for (; passed < 20_000 && !(await isSo()); passed += step) {
    await page.clock.runFor(step);
    await waitForIdle(page);
  }
  return passed;
}

/** Signs in through the server's sandbox, without a click; then opens `path`, if one is given. */
export async function signIn(page, email = 'asha@example.com', path = '') {
  const hint = encodeURIComponent(email);
  const response = await page.request.get(`/api/auth/google/login?returnTo=/wishlist&login_hint=${hint}`, {
    maxRetries: 2,
  });
  assert.equal(response.url(), `${base}/wishlist`, 'signed in');
  if (path) await open(page, path);
}

export async function products(page) {
  // The server closes idle connections; a request may meet one that is just being closed.
  const response = await page.request.get('/api/products/api/productInfo', { maxRetries: 2 });
  return (await response.json()).products;
}

/**
 * A message of the page. `waitFor` also finds one that has just disappeared: on a busy machine the two seconds of a toast may
 * pass between two looks at the page.
 */
export function toast(page, message) {
  const pattern =
    message instanceof RegExp ? [message.source, message.flags] : [message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'];
  const shown = page.locator('[role="status"], [role="alert"]').filter({ hasText: message });
  return { count: () => shown.count(), waitFor: () => page.waitForFunction(takeMessage, pattern) };
}

/** Runs in the page: whether a message is shown or was shown in the last seconds. Each one is found once. */
function takeMessage([source, flags]) {
  const isIt = (text) => new RegExp(source, flags).test(text.replace(/\s+/g, ' '));
  const isShown = [...document.querySelectorAll('[role="status"], [role="alert"]')].some(
    (one) => isIt(one.textContent) && one.checkVisibility(),
  );
  const all = window.messages ?? [];
  const isKnown = all.some(({ text, at }) => isIt(text) && performance.now() - at < 10_000);
  if (isShown || isKnown) window.messages = all.filter(({ text }) => !isIt(text));
  return isShown || isKnown;
}

/** Runs in the page, before its own scripts: keeps the messages that it shows. */
function trackMessages() {
  // The frame with an email in the mailbox allows no scripts.
  if (window !== window.top) return;
  window.messages = [];
  new MutationObserver((changes) => {
    for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      const element = added instanceof Element ? added : added.parentElement;
      const own = element?.closest('[role="status"], [role="alert"]');
      const inside = element ? [...element.querySelectorAll('[role="status"], [role="alert"]')] : [];
      for (const one of own ? [own, ...inside] : inside)
        window.messages.push({ text: one.textContent, at: performance.now() });
    }
  }).observe(document, { childList: true, subtree: true });
}

/** The toasts alone, where a page says the same inline. */
export const toasts = (page) => page.locator('.toasts');

/** Runs `act` with a processor that is `rate` times slower. */
export async function withSlowProcessor(page, rate, act) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  try {
    await act();
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await session.detach();
  }
}
