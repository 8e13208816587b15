// Runs the browser tests, several files in parallel because a browser mostly waits: first those that read the catalogue,
// then those that change it, together with those that only change data of their own users. All run in one process and one
// browser: starting them for each file would take longer than some files. With names, only those files; with `--name` or
// MIRASA_E2E_NAME, only the tests whose name matches that pattern.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { closeBrowser, openBrowser, RESULTS, TEST_TIMEOUT_MS, tests } from './fixtures.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const SUFFIX = '.e2e.mjs';
const MAX_PARALLEL_FILES = 6;
const MUTATES_CATALOGUE = [
  'admin-flows',
  'after-sale-problems',
  'after-sale-refunds',
  'buy-again',
  'cancellation-requests',
  'pack-and-ship',
  'product-images',
  'reviews',
  'shipments',
  'stock',
  'stock-notices',
];
const OWN_USER = ['accessibility-signed-in', 'account', 'orders-page', 'privacy'];
const ATTEMPTS = process.env.CI ? 2 : 1;
/** For the trace and the screenshot of a failed attempt. */
const SAVE_TIMEOUT_MS = 30_000;
/** scripts/e2e.sh prints it last: of a long log only the end is shown. */
const SUMMARY = join(RESULTS, 'failures.txt');
const failures = [];
const durations = [];
const SLOWEST_LISTED = 30;

const { positionals: requested, values } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } });
const pattern = new RegExp(values.name ?? process.env.MIRASA_E2E_NAME ?? '', 'i');

const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
const names = files.map((file) => file.slice(0, -SUFFIX.length));
const unknown = requested.filter((name) => !names.includes(name));
if (unknown.length) throw new Error(`no such tests: ${unknown.join(', ')}; there are ${names.join(', ')}`);
const suites = [];
for (const name of requested.length ? requested : names) {
  await import(pathToFileURL(join(folder, name + SUFFIX)));
  suites.push({ name, tests: tests.splice(0).filter((test) => pattern.test(test.name)) });
}
if (suites.every((suite) => suite.tests.length === 0)) throw new Error(`no test matches ${pattern}`);
// The longest first, so that none of them is left over for the end.
suites.sort((one, other) => other.tests.length - one.tests.length);

/** What failed and why, in a few lines: the reporter shows `actual: [Array]` and many lines of the stack. */
function describeFailure(kind, title, error) {
  const { message, actual, expected } = error instanceof Error ? error : { message: inspect(error) };
  const lines = message.split('\n+ actual - expected').slice(0, 1);
  for (const [name, value] of Object.entries({ actual, expected }))
    if (value !== undefined) lines.push(`${name}: ${inspect(value, { depth: 6, maxStringLength: 2000 })}`);
  return `${kind}: ${title}\n${lines.join('\n').replace(/^/gm, '    ')}`;
}

/**
 * On a shared machine everything may stand still for seconds. A test that passes only when it is tried again is listed at
 * the end with its first failure, and the trace of that is kept, so that the cause can be found.
 */
async function runAttempts(suite, name, run) {
  for (let attempt = 1; ; attempt++) {
    const began = performance.now();
    try {
      await run(suite);
      durations.push({ title: `${suite}: ${name}`, seconds: (performance.now() - began) / 1000 });
      return;
    } catch (error) {
      const isLast = attempt === ATTEMPTS;
      failures.push(describeFailure(isLast ? 'FAILED' : 'UNSTABLE, tried again', `${suite}: ${name}`, error));
      if (isLast) throw error;
    }
  }
}

function runGroup(title, isIn) {
  describe(title, { concurrency: MAX_PARALLEL_FILES }, () => {
    for (const suite of suites.filter(({ name, tests }) => tests.length > 0 && isIn(name)))
      describe(suite.name, { concurrency: 1 }, () => {
        for (const { name, run } of suite.tests)
          it(name, { timeout: ATTEMPTS * (TEST_TIMEOUT_MS + SAVE_TIMEOUT_MS) }, () =>
            runAttempts(suite.name, name, run),
          );
      });
  });
}

const runsLater = (name) => [...MUTATES_CATALOGUE, ...OWN_USER].includes(name);
rmSync(SUMMARY, { force: true });
before(openBrowser);
after(closeBrowser);
after(() => {
  durations.sort((one, other) => other.seconds - one.seconds);
  const lines = durations
    .slice(0, SLOWEST_LISTED)
    .map(({ title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${title}`);
  console.log(`The slowest tests:\n${lines.join('\n')}`);
  if (failures.length === 0) return;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(SUMMARY, `${failures.join('\n')}\n`);
});
runGroup('Tests that read the catalogue', (name) => !runsLater(name));
runGroup('Tests that change the catalogue or their own user', runsLater);
