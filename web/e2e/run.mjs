// Runs the browser tests, several files at a time because a browser waits as much as it works: first those that look at
// the catalogue, then those that change it, beside people who are busy with what is theirs. All in one process and one
// browser: starting them for each file would take longer than some files. With names, only those files.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { closeBrowser, openBrowser, scenarios, TIMEOUT_MS } from './shop.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const ENDING = '.e2e.mjs';
const AT_ONCE = 6;
const CHANGES_THE_SHOP = ['admin-stories', 'product-images'];
const OF_THEIR_OWN = ['accessibility-shopper', 'account', 'orders-page', 'privacy'];

const found = readdirSync(folder).filter((name) => name.endsWith(ENDING));
const names = found.map((file) => file.slice(0, -ENDING.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length) throw new Error(`no such tests: ${unknown.join(', ')}; there are ${names.join(', ')}`);
const chapters = [];
for (const name of wanted.length ? wanted : names) {
  await import(pathToFileURL(join(folder, name + ENDING)));
  chapters.push({ name, told: scenarios.splice(0) });
}
// The longest first, so that none of them is left over for the end.
chapters.sort((one, other) => other.told.length - one.told.length);

function tell(title, isIn) {
  describe(title, { concurrency: AT_ONCE }, () => {
    for (const { name, told } of chapters.filter(({ name }) => isIn(name)))
      describe(name, { concurrency: 1 }, () => {
        for (const { name, run } of told) it(name, { timeout: TIMEOUT_MS }, run);
      });
  });
}

const comesLater = (name) => [...CHANGES_THE_SHOP, ...OF_THEIR_OWN].includes(name);
before(openBrowser);
after(closeBrowser);
tell('The shop as it stands', (name) => !comesLater(name));
tell('The shop while it changes', comesLater);
