// Runs the browser tests: four files at a time, because a browser waits more than it works (a third of two cores with two
// of them); then, one by one, those that change what every visitor sees.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const ALONE = ['admin-stories.e2e.mjs'];

const files = readdirSync(folder).filter((name) => name.endsWith('.e2e.mjs'));
const together = files.filter((name) => !ALONE.includes(name));

function run(names, atOnce) {
  const args = [
    '--test',
    `--test-concurrency=${atOnce}`,
    '--test-reporter=spec',
    ...names.map((name) => join(folder, name)),
  ];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

const passed = [run(together, 4), run(ALONE, 1)];
process.exitCode = passed.every(Boolean) ? 0 : 1;
