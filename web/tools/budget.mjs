// The size budget of the first load of home: the entry and the home page. Its sections load when
// they are seen.
// The build fails above the budget.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_JS = 90_000;
const MAX_CSS = 15_000;
const FIRST_LOAD = ['index.html', 'src/app/pages/home-page.tsx'];

export function checkBudget(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const scripts = new Set();
  const styles = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}: the budget check expects it in the first load of home.`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const next of chunk.imports ?? []) visit(next);
  };
  FIRST_LOAD.forEach(visit);

  const sum = (files) => [...files].reduce((total, file) => total + statSync(join(folder, `${file}.br`)).size, 0);
  const report = { js: sum(scripts), css: sum(styles) };
  console.log(
    `First load of home, Brotli: ${kilo(report.js)} of JavaScript (at most ${kilo(MAX_JS)}), ${kilo(report.css)} of CSS (at most ${kilo(MAX_CSS)})`,
  );
  for (const file of [...scripts, ...styles])
    console.log(`  ${kilo(statSync(join(folder, `${file}.br`)).size).padStart(9)}  ${file}`);
  if (report.js > MAX_JS || report.css > MAX_CSS) throw new Error('The first load of home is over its budget.');
}

const kilo = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
