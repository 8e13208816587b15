// The size budget of the first load of home: the entry, the home page, and the fonts that it uses on a phone. Its lower
// sections load when they are seen. The build fails above the budget.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_JS = 90_000;
const MAX_CSS = 15_000;
const MAX_FONTS = 70_000;
const FIRST_LOAD = ['index.html', 'src/app/pages/home-page.tsx'];
const FIRST_FONTS = ['figtree', 'figtree-rupee', 'dm-serif-display', 'rozha-one', 'vesper-libre'];

export function checkBudget(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const chunkOf = (key) => {
    if (!manifest[key])
      throw new Error(`The build has no ${key}: the budget check expects it in the first load of home.`);
    return manifest[key];
  };
  const scripts = new Set();
  const styles = new Set();
  const visit = (key) => {
    const chunk = chunkOf(key);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const next of chunk.imports ?? []) visit(next);
  };
  FIRST_LOAD.forEach(visit);
  const fonts = FIRST_FONTS.map((name) => chunkOf(`src/ui/fonts/${name}.woff2`).file);

  // Fonts are compressed by themselves.
  const sizeOf = (file) => statSync(join(folder, file.endsWith('.woff2') ? file : `${file}.br`)).size;
  let isOver = false;
  for (const [name, files, max] of [
    ['JavaScript', [...scripts], MAX_JS],
    ['CSS', [...styles], MAX_CSS],
    ['fonts', fonts, MAX_FONTS],
  ]) {
    const total = files.map(sizeOf).reduce((one, other) => one + other, 0);
    isOver ||= total > max;
    console.log(`First load of home, compressed: ${kilo(total)} of ${name} (at most ${kilo(max)})`);
    for (const file of files) console.log(`  ${kilo(sizeOf(file)).padStart(9)}  ${file}`);
  }
  if (isOver) throw new Error('The first load of home is over its budget.');
}

const kilo = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
