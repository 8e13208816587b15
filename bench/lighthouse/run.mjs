// Lighthouse's mobile verdict on home, list and product: node run.mjs BASE_URL OUTPUT.json
// Each page is loaded once before, so that its pictures' sizes have been made, as for any later visitor.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';

const [base, output] = process.argv.slice(2);
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
  let heard = '';
  browser.stderr.on('data', (chunk) => {
    heard += chunk;
    const found = heard.match(/DevTools listening on ws:\/\/[^:]+:(\d+)\//);
    if (found) resolve(Number(found[1]));
  });
  browser.on('exit', () => reject(new Error(`Chromium ended: ${heard}`)));
});

const results = {};
try {
  for (const [name, path] of Object.entries(pages)) {
    const flags = { port, logLevel: 'error', onlyCategories: categories };
    await lighthouse(base + path, flags);
    const { lhr } = await lighthouse(base + path, flags);
    results[name] = Object.fromEntries(categories.map((category) => [category, Math.round(lhr.categories[category].score * 100)]));
    results[name].failed = Object.values(lhr.audits)
      .filter((audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative')
      .map((audit) => `${audit.id} (${audit.displayValue ?? audit.score})`);
  }
} finally {
  browser.kill();
  await new Promise((resolve) => browser.on('exit', resolve));
  rmSync(profile, { recursive: true, force: true });
}
writeFileSync(output, `${JSON.stringify(results, null, 2)}\n`);
console.log('page      performance  accessibility  best practices  SEO');
for (const [name, scores] of Object.entries(results)) {
  console.log(`${name.padEnd(12)}${categories.map((category) => String(scores[category]).padEnd(14)).join('')}`);
}
