// What every browser test stands on: Chromium against a running program, one fresh visitor a test, and no test passes
// while the page complains in its console.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

export const base = process.env.MIRASA_E2E_URL ?? 'http://127.0.0.1:8080';
const executablePath = process.env.MIRASA_CHROMIUM ?? '/usr/bin/chromium';
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const desktop = { width: 1440, height: 900 };
export const tablet = { width: 768, height: 1024 };
export const phone = { width: 390, height: 844 };

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath, args });
});
after(() => browser?.close());

/**
 * A test named after a sentence of the specification. `expected` lists console texts that the test provokes itself.
 */
export function scenario(name, act, { viewport = desktop, expected = [], ...options } = {}) {
  test(name, { timeout: 60_000 }, async () => {
    const context = await browser.newContext({ viewport, baseURL: base, ...options });
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // Nothing outside the machine is asked; the map is the one thing that would.
    await context.route(
      (url) => url.origin !== new URL(base).origin,
      (route) => route.abort(),
    );
    try {
      await act({ page, context });
      const unexpected = complaints.filter((text) => ![/openstreetmap/, ...expected].some((known) => known.test(text)));
      assert.deepEqual(unexpected, [], 'the console is quiet');
    } finally {
      await context.close();
    }
  });
}

export const text = (locator) => locator.innerText();

/** Waits until React has taken the page over, so that clicks are answered. */
export async function open(page, path) {
  const response = await page.goto(path, { waitUntil: 'load' });
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    return root && Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
  await page.waitForLoadState('networkidle');
  return response;
}

/** Through the program's own sandbox sign-in, without a click. */
export async function signIn(page, email = 'asha@example.com', returnTo = '/') {
  await page.goto(
    `/api/auth/google/login?returnTo=${encodeURIComponent(returnTo)}&login_hint=${encodeURIComponent(email)}`,
  );
  await page.waitForURL((url) => url.pathname + url.search === returnTo);
  await page.waitForLoadState('networkidle');
}

export async function products(page) {
  const answer = await page.request.get('/api/products/api/productInfo');
  return (await answer.json()).products;
}

export const toast = (page, message) =>
  page.locator('[role="status"], [role="alert"]').filter({ hasText: message }).first();
