// Measures the first visit on a phone against a running server: node tools/measure.mjs BASE_URL [RUNS]
// - bytes of scripts and fonts, compressed, until the page is quiet;
// - largest contentful paint, on slow 4G with a processor four times slower;
// - the first working tap: a control is tapped as soon as it is painted; the time, from the start of the navigation, at
//   which its effect is shown;
// - interaction to next paint (Event Timing API) of steppers, Add to Cart and search, with the slow processor;
// - the processor time of the main thread, beside a copy of the same page without scripts. The two alternate in one run,
//   because the speed of a shared machine changes; the ratio of the medians is what counts.
// The CPU index is Lighthouse's BenchmarkIndex, to compare machines.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const RUNS = Number(process.argv[3] ?? 5);
const PAGES = { home: '/', list: '/sub-products', product: '/product/goda-masala' };
/** Lighthouse's phone: slow 4G, a processor four times slower. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: 750e3 / 8 };
const SLOWER = 4;
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
/** The page is quiet after this long without requests and without a long task. */
const QUIET_MS = 2500;

const executablePath = ['/usr/bin/chromium-headless-shell', process.env.MIRASA_CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** A new visitor with an empty cache. */
async function visit({ slow = false, withoutScripts = false } = {}) {
  const context = await browser.newContext({ baseURL: base, ...PHONE });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (slow) {
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  }
  if (withoutScripts)
    await page.route(
      ({ pathname }) => Object.values(PAGES).includes(pathname),
      async (route) => {
        const response = await route.fetch();
        const html = (await response.text())
          .replace(/<script\b[\s\S]*?<\/script>/g, '')
          .replace(/<link[^>]*data-deferred-preload[^>]*>/g, '')
          .replace(/<link[^>]*modulepreload[^>]*>/g, '');
        await route.fulfill({ response, body: html });
      },
    );
  return { context, page, session };
}

async function untilQuiet(page) {
  let last = Date.now();
  const touch = () => {
    last = Date.now();
  };
  page.on('request', touch).on('requestfinished', touch).on('requestfailed', touch);
  while (Date.now() - last < QUIET_MS) await pause(100);
}

async function bytes(path) {
  const { context, page, session } = await visit();
  const sums = {};
  const kinds = new Map();
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    kinds.set(
      requestId,
      response.url.includes('/assets/') && response.mimeType.includes('javascript') ? 'Script' : type,
    ),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind) sums[kind] = (sums[kind] ?? 0) + encodedDataLength;
  });
  await page.goto(path);
  await untilQuiet(page);
  await context.close();
  return sums;
}

async function largestPaint(path) {
  const { context, page } = await visit({ slow: true });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      window.largestPaint = list.getEntries().at(-1).startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(path, { waitUntil: 'load' });
  await pause(1500);
  const time = await page.evaluate(() => window.largestPaint);
  await context.close();
  return time;
}

/** Taps `target` once, when it is painted, and returns when `isDone` holds, in ms from the start of the navigation. */
async function firstTap({ path, target, isDone }) {
  const { context, page, session } = await visit({ slow: true });
  await page.addInitScript(
    ({ target, isDone }) => {
      const check = new Function('q', `return ${isDone}`);
      const find = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
      window.tap = {};
      const frame = (now) => {
        const painted = performance.getEntriesByName('first-contentful-paint').length > 0;
        const control = find(target);
        if (painted && control && !window.tap.box) {
          control.scrollIntoView({ block: 'center' });
          const { x, y, width, height } = control.getBoundingClientRect();
          window.tap.box = { x: x + width / 2, y: y + height / 2 };
        }
        if (window.tap.box && check(find)) window.tap.doneAt = now;
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    },
    { target, isDone },
  );
  const going = page.goto(path, { waitUntil: 'commit' });
  await going;
  const { x, y } = await (await page.waitForFunction(() => window.tap?.box, null, { timeout: 60_000 })).jsonValue();
  const tappedAt = await page.evaluate(() => performance.now());
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const doneAt = await page
    .waitForFunction(() => window.tap?.doneAt, null, { timeout: 20_000 })
    .then((handle) => handle.jsonValue())
    .catch(() => Number.POSITIVE_INFINITY);
  await context.close();
  return { tappedAt, doneAt };
}

const TAPS = {
  'home: menu': { path: PAGES.home, target: 'header button[aria-controls=menu]', isDone: "!!q('#menu')" },
  'list: filter': { path: PAGES.list, target: 'main button[aria-haspopup=dialog]', isDone: "!!q('dialog[open]')" },
  'product: stepper': {
    path: PAGES.product,
    target: 'button[aria-label="More: 50 g packs"]',
    isDone: "document.querySelector('[aria-label=\"50 g packs\"] output')?.textContent === '1'",
  },
};

/** The longest time from an input to the next frame, with the slow processor, after the page is loaded. */
async function interactions() {
  const { context, page, session } = await visit();
  await page.addInitScript(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  });
  const measure = async (act) => {
    await page.evaluate(() => {
      window.longest = 0;
    });
    await act();
    await pause(700);
    return page.evaluate(() => window.longest);
  };
  const results = {};
  await page.goto(PAGES.product);
  await untilQuiet(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  results.stepper = await measure(() => page.locator('button[aria-label="More: 50 g packs"]').tap());
  results['add to cart'] = await measure(() => page.getByRole('button', { name: 'Add to Cart' }).tap());
  await page.goto(PAGES.list);
  await untilQuiet(page);
  const box = page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');
  await box.tap();
  results.search = await measure(() => page.keyboard.type('paneer', { delay: 120 }));
  await context.close();
  return results;
}

async function mainThread(path, withoutScripts) {
  const { context, page, session } = await visit({ withoutScripts });
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(path);
  await untilQuiet(page);
  const { metrics } = await session.send('Performance.getMetrics');
  await context.close();
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

/** As in Lighthouse, core/lib/page-functions.js. */
function benchmarkIndex() {
  const perSecond = (run) => {
    const start = Date.now();
    let iterations = 0;
    while (iterations % 10 !== 0 || Date.now() - start < 500) run(iterations++);
    return iterations / 10 / ((Date.now() - start) / 1000);
  };
  const arrays = [0, 1].map(() => Array.from({ length: 100_000 }, (_, at) => at));
  const withGc = perSecond(() => {
    let text = '';
    for (let at = 0; at < 10_000; at++) text += 'a';
    if (text.length === 1) throw new Error('not removed by the compiler');
  });
  const withoutGc = perSecond((iteration) => {
    const [source, target] = iteration % 2 === 0 ? arrays : [arrays[1], arrays[0]];
    for (let at = 0; at < source.length; at++) target[at] = source[at];
  });
  return (withGc + withoutGc) / 2;
}

const only = process.env.ONLY?.split(',');
const wanted = (name) => !only || only.includes(name);
try {
  // The first visit makes the server render pages and images.
  for (const path of Object.values(PAGES)) await bytes(path);
  if (wanted('index')) {
    const { context, page } = await visit();
    console.log(`CPU index ${Math.round(await page.evaluate(benchmarkIndex))}`);
    await context.close();
  }
  if (wanted('bytes'))
    for (const [name, path] of Object.entries(PAGES)) {
      const sums = await bytes(path);
      const kilo = (kind) => `${((sums[kind] ?? 0) / 1000).toFixed(1)} kB`;
      console.log(
        `${name}: scripts ${kilo('Script')}, fonts ${kilo('Font')}, styles ${kilo('Stylesheet')}, HTML ${kilo('Document')}`,
      );
    }
  if (wanted('lcp'))
    for (const [name, path] of Object.entries(PAGES)) {
      const times = [];
      for (let run = 0; run < RUNS; run++) times.push(await largestPaint(path));
      console.log(`${name}: largest contentful paint ${Math.round(median(times))} ms`);
    }
  if (wanted('tap'))
    for (const [name, tap] of Object.entries(TAPS)) {
      const times = [];
      for (let run = 0; run < RUNS; run++) times.push(await firstTap(tap));
      console.log(
        `${name}: tapped at ${Math.round(median(times.map((one) => one.tappedAt)))} ms, works at ${Math.round(median(times.map((one) => one.doneAt)))} ms`,
      );
    }
  if (wanted('inp')) {
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await interactions());
    for (const name of Object.keys(runs[0]))
      console.log(`interaction to next paint, ${name}: ${median(runs.map((run) => run[name]))} ms`);
  }
  if (wanted('main'))
    for (const [name, path] of Object.entries(PAGES)) {
      const [full, bare] = [[], []];
      for (let run = 0; run < RUNS; run++) {
        full.push(await mainThread(path, false));
        bare.push(await mainThread(path, true));
      }
      console.log(
        `${name}: main thread ${Math.round(median(full))} ms, without scripts ${Math.round(median(bare))} ms, ratio ${(median(full) / median(bare)).toFixed(2)}`,
      );
    }
} finally {
  await browser.close();
}
