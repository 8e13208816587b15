// What axe finds wrong with a page as it stands, one line a fault.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose answer another theme can change: the rest is about the document, which is the same. */
const colours = ['color-contrast', 'link-in-text-block'];

export async function faults(page, rules = everything) {
  // Through the debugger, because the page's own policy allows no foreign script.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    // Without frames: the one there is, the map, is somebody else's. Without a report on what is right, which would
    // be a third of the work.
    const { violations } = await window.axe.run(document, { runOnly, iframes: false, resultTypes: ['violations'] });
    return violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
    );
  }, rules);
}

export async function noFaultsInBothThemes(page, what) {
  for (const [theme, rules] of [
    ['light', everything],
    ['dark', colours],
  ]) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    assert.deepEqual(await faults(page, rules), [], `${what}, ${theme}`);
  }
}
