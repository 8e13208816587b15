// Lighthouse scores (mobile) of the home, list and product pages: node run.mjs BASE_URL OUTPUT.json PID
// Each page is loaded once first. Then the script waits until the server has made all image renditions, as is the case for
// later visitors. Each score is the median of five runs, because single runs differ by several points.
// The index says how fast the machine was: below 1,000 the simulated phone is slower than Lighthouse means it to be.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import lighthouse from 'lighthouse';

const [base, output, pid] = process.argv.slice(2);
const RUNS = 5;
const pages = { home: '/', list: '/sub-products', product: '/product/goda-masala' };
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

const profile = mkdtempSync(join(tmpdir(), 'mirasa-lighthouse-'));
const browser = spawn(
  process.env.MIRASA_CHROMIUM ?? '/usr/bin/chromium',
  [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
    '--disable-background-networking', '--disable-component-update', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank',
  ],
  { stdio: ['ignore', 'ignore', 'pipe'] },
);
const port = await new Promise((resolve, reject) => {
  let output = '';
  browser.stderr.on('data', (chunk) => {
    output += chunk;
    const found = output.match(/DevTools listening on ws:\/\/[^:]+:(\d+)\//);
    if (found) resolve(Number(found[1]));
  });
  browser.on('exit', () => reject(new Error(`Chromium exited: ${output}`)));
});

const results = {};
try {
  const flags = { port, logLevel: 'error', onlyCategories: categories };
  for (const path of Object.values(pages)) await lighthouse(base + path, flags);
  await waitUntilIdle();
  for (const [name, path] of Object.entries(pages)) {
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push((await lighthouse(base + path, flags)).lhr);
    runs.sort((one, other) => one.categories.performance.score - other.categories.performance.score);
    const lhr = runs[(RUNS - 1) / 2];
    results[name] = Object.fromEntries(categories.map((category) => [category, Math.round(lhr.categories[category].score * 100)]));
    results[name].performanceOfEach = runs.map((run) => Math.round(run.categories.performance.score * 100));
    results[name].index = Math.round(lhr.environment.benchmarkIndex);
    for (const metric of ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']) {
      results[name][metric] = lhr.audits[metric].displayValue;
    }
    results[name].failed = Object.values(lhr.audits)
      .filter((audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative')
      .map((audit) => `${audit.id} (${audit.displayValue ?? audit.score})`);
  }
} finally {
  browser.kill();
  await new Promise((resolve) => browser.on('exit', resolve));
  rmSync(profile, { recursive: true, force: true });
}
/** Waits until the server has used almost no CPU time for two seconds. */
async function waitUntilIdle() {
  const ticks = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).map(Number).reduce((one, other) => one + other);
  for (let quiet = 0, before = ticks(); quiet < 4; ) {
    await pause(500);
    const now = ticks();
    quiet = now - before < 3 ? quiet + 1 : 0;
    before = now;
  }
}

writeFileSync(output, `${JSON.stringify(results, null, 2)}\n`);
console.log('page      performance  accessibility  best practices  SEO');
for (const [name, scores] of Object.entries(results)) {
  console.log(`${name.padEnd(12)}${categories.map((category) => String(scores[category]).padEnd(14)).join('')} index ${scores.index}`);
}
