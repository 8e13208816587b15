// Accessibility violations that axe finds on a page, one line each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { phone, waitForIdle } from './fixtures.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme: the others are about the document, which is the same. */
const colours = ['color-contrast', 'link-in-text-block'];

export async function violations(page, rules = everything) {
  // A message that has just been shown covers a part of some control: axe finds what is left of it too small.
  await page.waitForFunction(() => !document.querySelector('.toasts'));
  // Through the debugger, because the page's content security policy allows no other scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    // Without frames: the only one, the map, belongs to another site. Without a report of passed rules, which takes a
    // third of the time. Without loading style sheets and media again: only rules about sound and rotation need that.
    const options = { runOnly, iframes: false, preload: false, resultTypes: ['violations'] };
    const { violations } = await window.axe.run(document, options);
    return violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
    );
  }, rules);
}

export async function expectNoViolations(page, what) {
  for (const [theme, rules] of [
    ['light', everything],
    ['dark', colours],
  ]) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    assert.deepEqual(await violations(page, rules), [], [what, theme].filter(Boolean).join(', '));
  }
}

/**
 * The page on a phone, in a window as high as the page. In a lower one the bar at the foot of the screen covers some control,
 * whose visible part is too small for axe; which one depends on the data, also on that of other tests.
 */
export async function showWholePageOnPhone(page) {
  await page.setViewportSize(phone);
  await waitForIdle(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...phone, height });
  await waitForIdle(page);
}

/** For a list that is a table on a desktop and has other elements on a phone: both are checked, the colours on the former. */
export async function expectNoViolationsOfBothLayouts(page, what) {
  const size = page.viewportSize();
  await expectNoViolations(page, what);
  await showWholePageOnPhone(page);
  assert.deepEqual(await violations(page), [], [what, 'phone'].filter(Boolean).join(', '));
  await page.setViewportSize(size);
  await waitForIdle(page);
}
