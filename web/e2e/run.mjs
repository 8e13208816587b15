// Runs the browser tests, several files at a time because a browser waits as much as it works: first those that look at
// the catalogue, then those that change it, beside people who are busy with what is theirs.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const AT_ONCE = 6;
const CHANGES_THE_SHOP = ['admin-stories'];
const OF_THEIR_OWN = ['accessibility-shopper', 'account', 'orders-page', 'privacy'];

const files = readdirSync(folder).filter((name) => name.endsWith('.e2e.mjs'));
const second = [...CHANGES_THE_SHOP, ...OF_THEIR_OWN].map((name) => `${name}.e2e.mjs`);
const first = files.filter((name) => !second.includes(name));

function run(names) {
  const args = [
    '--test',
    `--test-concurrency=${AT_ONCE}`,
    '--test-reporter=spec',
    ...names.map((name) => join(folder, name)),
  ];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

const passed = [run(first), run(second)];
process.exitCode = passed.every(Boolean) ? 0 : 1;
