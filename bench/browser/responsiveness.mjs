// How soon and how fast pages react on a slow phone: node responsiveness.mjs OUTPUT.json, with MIRASA_E2E_URL
// Processor four times slower; for the first tap also the network of Lighthouse's phone. Medians, because runs differ.
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { closeBrowser, newVisitor, openBrowser, phone } from '../../web/e2e/fixtures.mjs';

const [output] = process.argv.slice(2);
const RUNS = 7;
const SLOW_PROCESSOR = { rate: 4 };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1638.4 * 128, uploadThroughput: 750 * 128 };
const PAGES = { home: '/', list: '/sub-products', product: '/product/goda-masala' };

const median = (numbers) => numbers.toSorted((one, other) => one - other)[(numbers.length - 1) >> 1];

/** A page of a new visitor on a slow phone, with its session of the DevTools protocol. */
async function slowPhone({ network = false, path } = {}, act) {
  const context = await newVisitor({ viewport: phone, hasTouch: true, isMobile: true, reducedMotion: 'no-preference' });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', SLOW_PROCESSOR);
    if (network) {
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    }
    return await act({ page, devtools, path });
  } finally {
    await context.close();
  }
}

/** Milliseconds of the main thread until the page is quiet for a second. */
async function mainThreadTime({ page, devtools, path }, withScripts) {
  if (!withScripts)
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() !== 'document') return route.continue();
      const response = await route.fetch();
      const html = (await response.text())
        .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
        .replace(/<link\b[^>]*rel="modulepreload"[^>]*>/g, '');
      return route.fulfill({ response, body: html });
    });
  await devtools.send('Performance.enable');
  await page.goto(path, { waitUntil: 'load' });
  const spent = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  for (let before = await spent(); ; ) {
    await pause(1000);
    const now = await spent();
    if (now - before < 20) return now;
    before = now;
  }
}

async function mainThread() {
  const results = {};
  for (const [name, path] of Object.entries(PAGES)) {
    const times = { with: [], without: [] };
    for (let run = 0; run < RUNS; run++) {
      times.with.push(await slowPhone({ path }, (phone) => mainThreadTime(phone, true)));
      times.without.push(await slowPhone({ path }, (phone) => mainThreadTime(phone, false)));
    }
    const [withScripts, without] = [median(times.with), median(times.without)];
    results[name] = {
      withScripts: Math.round(withScripts),
      withoutScripts: Math.round(without),
      ratio: Number((withScripts / without).toFixed(2)),
    };
  }
  return results;
}

/** Runs in the page, before its scripts: the durations of all events, by the control that they were about. */
function observeEvents() {
  window.events = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) window.events.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
}

/** The longest interaction of each kind, in milliseconds; the Event Timing API rounds to 8. */
async function interactions() {
  const kinds = {
    steppers: ['/product/goda-masala', async (page) => {
      for (const name of ['More: 50 g packs', 'More: 50 g packs', 'Less: 50 g packs', 'More: 100 g packs'])
        await tapAndWait(page, page.getByRole('button', { name }));
    }],
    addToCart: ['/product/goda-masala', async (page) => {
      await tapAndWait(page, page.getByRole('button', { name: 'More: 50 g packs' }));
      await tapAndWait(page, page.getByRole('button', { name: 'Add to Cart' }).first());
    }],
    search: ['/sub-products', async (page) => {
      const box = page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');
      await tapAndWait(page, box);
      for (const key of 'garam masala') {
        await box.press(key === ' ' ? 'Space' : key);
        await pause(120);
      }
    }],
  };
  const results = {};
  for (const [name, [path, act]] of Object.entries(kinds)) {
    const longest = [];
    for (let run = 0; run < RUNS; run++)
      longest.push(
        await slowPhone({ path }, async ({ page }) => {
          await page.addInitScript(observeEvents);
          await page.goto(path, { waitUntil: 'load' });
          await pause(1500);
          await page.evaluate(() => window.events.splice(0));
          await act(page);
          await pause(500);
          return Math.max(16, ...(await page.evaluate(() => window.events)));
        }),
      );
    results[name] = { median: median(longest), worst: Math.max(...longest) };
  }
  return results;
}

async function tapAndWait(page, control) {
  await control.tap();
  await pause(300);
}

/** Milliseconds from the navigation until a tap at the first paint shows its effect. */
async function firstTap() {
  const results = {};
  const pages = {
    home: ['/', 'button[aria-label="Open menu"]', 'nav[aria-label="Menu"] a'],
    product: ['/product/goda-masala', 'button[aria-label="More: 50 g packs"]', '[aria-label="50 g packs"] output'],
  };
  for (const [name, [path, control, effect]] of Object.entries(pages)) {
    const times = [];
    for (let run = 0; run < RUNS; run++)
      times.push(
        await slowPhone({ path, network: true }, async ({ page }) => {
          await page.addInitScript((effect) => {
            const look = () => {
              const shown = document.querySelector(effect);
              const isDone = shown?.tagName === 'OUTPUT' ? shown.textContent === '1' : shown?.checkVisibility();
              if (isDone) window.effectAt = performance.now();
              else requestAnimationFrame(look);
            };
            look();
          }, effect);
          await page.goto(path, { waitUntil: 'commit' });
          await page.locator(control).locator('visible=true').first().tap({ force: true });
          const tapped = await page.evaluate(() => performance.now());
          await page.waitForFunction(() => window.effectAt);
          return [tapped, await page.evaluate(() => window.effectAt)];
        }),
      );
    results[name] = {
      tapped: Math.round(median(times.map(([tapped]) => tapped))),
      effect: Math.round(median(times.map(([, effect]) => effect))),
      worst: Math.round(Math.max(...times.map(([, effect]) => effect))),
    };
  }
  return results;
}

await openBrowser();
try {
  const results = { firstTap: await firstTap(), interactions: await interactions(), mainThread: await mainThread() };
  writeFileSync(output, `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
} finally {
  await closeBrowser();
}
