// Fixtures of the flows: how a flow is declared and run, customers, and the admin, who acts through the API.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeAddress, newEmail } from '../customer-fixtures.mjs';
import { base, phone, withDeadline } from '../fixtures.mjs';
import { eventually, Page } from './page.mjs';

/** Where the screenshot of a failed flow is saved. */
const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url));

export const flows = [];

/** A flow in a browser of its own, started for it with a new profile. */
export function flow(name, act, { viewport = phone, dark = false } = {}) {
  const run = async (engine, driver) => {
    const session = await driver.open({ dark });
    try {
      const page = new Page(session, base);
      await resize(page, viewport);
      await withDeadline(act({ page, engine }));
    } catch (error) {
      await saveScreenshot(session, `${engine.name} ${name}`);
      throw error;
    } finally {
      await session.end().catch(() => undefined);
    }
  };
  flows.push({ name, run });
}

let last = Promise.resolve();
/** The engines share one shop: what acts on all orders of it runs while no other engine does. */
export function alone(act) {
  const run = last.then(act);
  last = run.catch(() => undefined);
  return run;
}

/** Makes the page itself this large, not its window. */
export async function resize({ session }, { width, height }) {
  await session.resize(width, height);
  const [innerWidth, innerHeight] = await session.run(() => [window.innerWidth, window.innerHeight]);
  await session.resize(width + width - innerWidth, height + height - innerHeight);
}

/** Must not hide the flow's own error. */
async function saveScreenshot(session, name) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const file = join(RESULTS, `${slug.slice(0, 100)}.png`);
  try {
    const address = await session.url();
    await mkdir(RESULTS, { recursive: true });
    await writeFile(file, await session.screenshot(), 'base64');
    console.error(`${name}: failed at ${address}, screenshot in ${file}`);
  } catch (error) {
    console.error(`${name}: no screenshot: ${error.message}`);
  }
}

/** Opens a page and waits until the service worker controls it, and with it all pages that follow. */
export async function openWithWorker(page, path) {
  await page.open(path);
  const isInControl = () => page.session.run(() => Boolean(navigator.serviceWorker.controller));
  await eventually(isInControl, true, 'the service worker controls the page');
}

/** Opens a page where no service worker is registered: the page waits for two seconds, as for a visitor who is faster. */
export async function openWithoutWorker(page, path) {
  const isRegistered = async () => {
    await page.open(path);
    return page.session.runAsync(async () => {
      navigator.serviceWorker.register = () => new Promise(() => undefined);
      const all = await navigator.serviceWorker.getRegistrations();
      for (const one of all) await one.unregister();
      return all.length > 0 || navigator.serviceWorker.controller !== null;
    });
  };
  await eventually(isRegistered, false, 'a service worker is registered');
}

/** Signs in without a click, then opens the path. */
export async function signIn(page, email, path) {
  const query = new URLSearchParams({ returnTo: path, login_hint: email });
  await page.open(`/api/auth/google/login?${query}`);
  await page.at(path);
}

/** The label of the cart button in the header: 'Cart', 'Cart, 1 pack', … */
export const cartLabel = (page, label) => page.role('banner').role('button', label).shown();

/** A user who has no browser. Returns a function that sends their requests. */
async function signInByApi(email) {
  const cookies = new Map();
  const request = async (url, options = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...options.headers, origin: base, cookie };
    const response = await fetch(new URL(url, base), { redirect: 'manual', ...options, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const target = response.headers.get('location');
    return target && !options.method ? request(target) : response;
  };
  const query = new URLSearchParams({ returnTo: '/wishlist', login_hint: email });
  await request(`/api/auth/google/login?${query}`);
  return async (method, path, data) => {
    const headers = { 'content-type': 'application/json' };
    const response = await request(path, { method, headers, body: data && JSON.stringify(data) });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  };
}

export const ADMIN = 'admin@mirasa.example';
let admin;
/** Sends a request of the admin. */
export async function sendAsAdmin(method, path, data) {
  admin ??= await signInByApi(ADMIN);
  return admin(method, path, data);
}

/** What the customer would press on the gateway's page, in another window. */
export async function payElsewhere(gateway) {
  const response = await fetch(gateway, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay' }),
    headers: { origin: base },
    redirect: 'manual',
  });
  assert.ok(response.status < 400, `the gateway answers ${response.status}`);
}

/** A paid order of two packs of 50 g and one of 100 g, bought without a page. `send` sends the customer's requests. */
export async function buy(send, productId) {
  await send('POST', '/api/cart/add-to-cart', { productId, qty_50g: 2, qty_100g: 1 });
  const { address } = await send('POST', '/api/addresses', homeAddress);
  const body = { addressId: address._id };
  const { redirectUrl, merchantOrderId } = await send('POST', '/api/cart/checkout', body);
  await payElsewhere(redirectUrl);
  const result = () => send('GET', `/api/payment/order/db/${merchantOrderId}`);
  await eventually(async () => (await result()).order.paymentStatus, 'completed', 'the payment');
  return (await result()).order;
}

export const buyAsAnother = async (productId) => buy(await signInByApi(newEmail('buyer')), productId);

export const short = (order) => order._id.slice(-8).toUpperCase();
