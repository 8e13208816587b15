// Runs the flows in Firefox's and WebKit's engines, the engines beside each other. Names of engines run only those; `--name`
// runs only the flows whose name matches:  node run.mjs webkit --name sign-in
import { after, before, describe, it } from 'node:test';
import { parseArgs } from 'node:util';
import { engines, startDriver } from './drivers.mjs';
import { flows } from './fixtures.mjs';
import './shopping.flows.mjs';
import './console.flows.mjs';
import './layout.flows.mjs';

const ATTEMPTS = process.env.CI ? 2 : 1;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string', default: '' } },
});
const unknown = positionals.filter((name) => !engines[name]);
if (unknown.length)
  throw new Error(`no such engines: ${unknown.join(', ')}; there are ${Object.keys(engines).join(', ')}`);
const chosen = flows.filter(({ name }) => new RegExp(values.name, 'i').test(name));
if (chosen.length === 0) throw new Error(`no flow matches ${values.name}`);

/** On a shared machine everything may stand still for seconds. A flow that fails first is listed at the end. */
const unstable = [];
async function runAttempts(engine, driver, { name, run }) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(engine, driver);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.error(`Failed, tried again: ${engine.name}: ${name}\n`, error);
      unstable.push(`${engine.name}: ${name}`);
    }
  }
}

describe('The main flows in other engines', { concurrency: true }, () => {
  for (const key of positionals.length ? positionals : Object.keys(engines)) {
    const engine = engines[key];
    describe(engine.name, { concurrency: 1 }, () => {
      let driver;
      before(async () => {
        driver = await startDriver(engine);
      });
      after(() => driver?.stop());
      for (const each of chosen) it(each.name, () => runAttempts(engine, driver, each));
    });
  }
  after(() => {
    if (unstable.length) console.error(`UNSTABLE, tried twice:\n${unstable.join('\n')}`);
  });
});
