// Fixtures of tests with the service worker in control of the page, as it is for every visitor after two seconds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eventually, open, phone, test, waitForIdle } from './fixtures.mjs';

const PRELOAD_WORKER = readFileSync(new URL('./preload-worker.js', import.meta.url), 'utf8');

/** Chromium writes this when a worker does not use what was preloaded. */
const UNUSED_PRELOAD = /navigation preload request was cancelled/;

export const testWithWorker = (name, act, options = {}) =>
  test(name, act, { viewport: phone, serviceWorkers: 'allow', ...options });

/** The same test with the worker of today, and with the earlier one that some browsers still have. */
export function testWithBothWorkers(name, act) {
  testWithWorker(name, act);
  testWithWorker(
    `${name} (with the earlier worker)`,
    async (visitor) => {
      await keepEarlierWorker(visitor.context);
      await act(visitor);
      assert.equal(await isPreloadOn(visitor.page), true, 'it is still the earlier worker');
    },
    { expected: [UNUSED_PRELOAD] },
  );
}

/**
 * The page registers the earlier worker. Playwright does not see the requests by which a browser looks for an update of a
 * worker (microsoft/playwright#14711), so an update gets today's worker from the server.
 */
export const serveEarlierWorker = (context) => fulfillWithEarlierWorker(context, '/sw.js');
export const serveTodaysWorker = (context) => context.unroute('**/sw.js');

/** The same without updates: the server does not know the URL, so looking for an update fails and the worker stays. */
async function keepEarlierWorker(context) {
  await fulfillWithEarlierWorker(context, '/earlier-worker.js');
  await context.addInitScript(() => {
    const container = navigator.serviceWorker;
    // A new tab has none.
    if (!container) return;
    const register = container.register.bind(container);
    container.register = (_url, options) => register('/earlier-worker.js', options);
  });
}

const fulfillWithEarlierWorker = (context, path) =>
  context.route(`**${path}`, (route) => route.fulfill({ body: PRELOAD_WORKER, contentType: 'text/javascript' }));

/** Opens a page and waits until the worker controls it. */
export async function openWithWorker(page, path) {
  await open(page, path);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await waitForIdle(page);
}

/** Whether the browser sends navigations before it asks the worker. */
export const isPreloadOn = (page) =>
  page.evaluate(async () => {
    const { navigationPreload } = await navigator.serviceWorker.ready;
    return (await navigationPreload.getState()).enabled;
  });

export const isSignedIn = async (page) =>
  (await (await page.request.get('/api/auth/check-auth')).json()).authenticated === true;

/** Presses the button of the sign-in dialog. The next page is the provider's. */
export async function goToProvider(page) {
  await page
    .getByRole('dialog', { name: 'Welcome Back!' })
    .getByRole('button', { name: 'Sign in with Google' })
    .click();
  await page.waitForURL(/\/sandbox\//);
}

/** Enters the address on the provider's page and waits for the page of the shop. */
export async function pickAccount(page, email) {
  await page.getByRole('textbox').first().fill(email);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !/^\/(sandbox|api)\//.test(url.pathname));
}

export async function signInByHand(page, email) {
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click();
  await goToProvider(page);
  await pickAccount(page, email);
}

/** The messages that the page has shown, also those that have disappeared. */
export const shownMessages = (page) => page.evaluate(() => window.messages.map(({ text }) => text).join(' '));

/** Waits until the header shows the user's name. */
export const expectName = (page, name) =>
  eventually(() => page.getByRole('banner').getByRole('button', { name }).count(), 1, 'the header knows the user');
