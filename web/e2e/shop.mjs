// What every browser test stands on: Chromium against a running program, one fresh visitor a test, and no test passes
// while the page complains in its console.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { chromium } from 'playwright-core';

export const base = process.env.MIRASA_E2E_URL ?? 'http://127.0.0.1:8080';
/** Where it is installed, the browser without a window: a third of the work for the same pages. */
const executablePath = ['/usr/bin/chromium-headless-shell', process.env.MIRASA_CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);
/** A page may take its time on a busy machine; only what never comes is a failure. */
const PATIENCE_MS = 60_000;
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing outside the machine is asked; the map is the one thing that would.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

export const desktop = { width: 1440, height: 900 };
export const tablet = { width: 768, height: 1024 };
export const phone = { width: 390, height: 844 };

let browser;
export async function openBrowser() {
  browser = await chromium.launch({ executablePath, args });
}
export const closeBrowser = () => browser?.close();

/** What the files of this folder tell, in the order in which they tell it. */
export const scenarios = [];
export const TIMEOUT_MS = 3 * PATIENCE_MS;

/**
 * A guess of the browser's after some seconds. It came once, on a busy machine, about a picture that the page shows;
 * why is not known. A test in pages.e2e.mjs looks for what it means: a picture that is fetched early in vain.
 */
const USED_TOO_LATE = /was preloaded using link preload but not used within a few seconds/;

/**
 * A test named after a sentence of the specification. `expected` lists console texts that the test provokes itself.
 */
export function scenario(name, act, { viewport = desktop, expected = [], ...options } = {}) {
  const run = async () => {
    const complaints = [];
    const known = [/openstreetmap/, USED_TOO_LATE, ...expected];
    const seat = await takeSeat({ viewport, ...options });
    const hear = (message) => {
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} (${message.location().url})`);
    };
    const hearError = (failure) => complaints.push(failure.error().message);
    seat.context.on('console', hear).on('weberror', hearError);
    let passed = false;
    try {
      await act(seat);
      const unexpected = complaints.filter((text) => !known.some((pattern) => pattern.test(text)));
      assert.deepEqual(unexpected, [], 'the console is quiet');
      passed = true;
    } finally {
      seat.context.off('console', hear).off('weberror', hearError);
      await leaveSeat(seat, passed);
    }
  };
  scenarios.push({ name, run });
}

/**
 * Browser windows that nobody sits at: one is used again by the next test that wants its like, emptied of all that the
 * last one left, because opening a new one is a quarter of a test's work.
 */
const seats = [];
/**
 * Windows in which something was changed that `leaveSeat` does not change back. It knows routes, cookies, storage,
 * permissions and the listeners that the tests use today; a test that goes further adds its page here.
 */
const spent = new WeakSet();

async function takeSeat(options) {
  const key = JSON.stringify(options);
  const free = seats.findIndex((seat) => seat.key === key);
  if (free >= 0) return seats.splice(free, 1)[0];
  const context = await newVisitor(options);
  return { key, context, page: await context.newPage() };
}

async function leaveSeat(seat, passed) {
  const { context, page } = seat;
  for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' });
  const isOne = context.pages().length === 1 && context.pages()[0] === page;
  if (!passed || !isOne || spent.has(page)) return context.close();
  for (const event of ['request', 'dialog']) await page.removeAllListeners(event);
  await context.clearPermissions();
  // Away first: a page that is still there could write again.
  await page.goto('/healthz');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  seats.push(seat);
}

/**
 * Another person at another machine: no cookie, no memory, nothing shared with the rest of the test. They have asked
 * for less motion, because drawing every step of every transition is a third of the work; a test about motion asks for
 * it with `inMotion`.
 */
export async function newVisitor(options = {}) {
  const context = await browser.newContext({
    viewport: desktop,
    baseURL: base,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(countCalls);
  await context.addInitScript(drawLess);
  return context;
}

/** Options of a test about what moves. */
export const inMotion = { reducedMotion: 'no-preference' };

/** Runs in the page: blurs and shadows change nothing but the picture, and without a graphics card they are slow. */
function drawLess() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { backdrop-filter: none !important; box-shadow: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** Runs in the page, before its own scripts: how many calls to the program are under way. */
function countCalls() {
  window.callsUnderWay = 0;
  const counted =
    (call) =>
    async (...args) => {
      window.callsUnderWay++;
      try {
        return await call(...args);
      } finally {
        window.callsUnderWay--;
      }
    };
  window.fetch = counted(window.fetch.bind(window));
  const { json } = Response.prototype;
  Response.prototype.json = function () {
    return counted(() => json.call(this))();
  };
}

/**
 * Waits until the page has come to rest: React has taken over every control, no call is under way, and a few frames
 * have passed in which no answer led to another call.
 */
export async function settled(page) {
  await page.waitForFunction((visit) => {
    const controls = document.querySelectorAll('#root :is(a, button, input, select, textarea)');
    const isTaken = (control) => Object.keys(control).some((key) => key.startsWith('__reactProps$'));
    const isCalm = window.callsUnderWay === 0 && controls.length > 0 && [...controls].every(isTaken);
    if (window.calm?.visit !== visit) window.calm = { visit, frames: 0 };
    window.calm.frames = isCalm ? window.calm.frames + 1 : 0;
    return window.calm.frames > 4;
  }, visits++);
}
let visits = 0;

export async function open(page, path) {
  const response = await page.goto(path, { waitUntil: 'domcontentloaded' });
  await settled(page);
  return response;
}

/**
 * Reads again and again until it is what is expected: a value, a pattern, or a check. What React shows a moment after
 * an action is not there at the moment of the action.
 */
export async function eventually(read, expected, message) {
  const deadline = Date.now() + PATIENCE_MS;
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
 * Opens a page whose time then stands still and passes only when the test says so, with `page.clock.runFor`: what
 * happens every few seconds is tested to the millisecond, and no busy machine is too late for it.
 */
export async function openInStoppedTime(page, path) {
  spent.add(page);
  await page.clock.install();
  await open(page, path);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Lets a stopped page's time pass in small steps until something is so; answers how long that took. */
export async function timeUntil(page, isSo, step = 100) {
  let passed = 0;
  for (; passed < 20_000 && !(await isSo()); passed += step) {
    await page.clock.runFor(step);
    await settled(page);
  }
  return passed;
}

/** Through the program's own sandbox sign-in, without a click; then to `path`, where one is given. */
export async function signIn(page, email = 'asha@example.com', path = '') {
  const hint = encodeURIComponent(email);
  const answer = await page.request.get(`/api/auth/google/login?returnTo=/wishlist&login_hint=${hint}`);
  assert.equal(answer.url(), `${base}/wishlist`, 'signed in');
  if (path) await open(page, path);
}

export async function products(page) {
  const answer = await page.request.get('/api/products/api/productInfo');
  return (await answer.json()).products;
}

export const toast = (page, message) =>
  page.locator('[role="status"], [role="alert"]').filter({ hasText: message }).first();

/** The toasts alone, where a page says the same inline. */
export const toasts = (page) => page.locator('.toasts');

/** Runs `act` on a device so many times slower than this one. */
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
