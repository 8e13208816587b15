// Turns React's packages, which are CommonJS, into modules. A bundler wraps CommonJS in functions, and V8 compiles such a
// function on the main thread when it is called, although its file was compiled on another thread. As modules, functions
// that the shop does not use are left out as well.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const FILE = /node_modules[\\/](react|react-dom|scheduler)[\\/].*\.js$/;
const PRODUCTION_FILE = /module\.exports = require\('(\.\/cjs\/[^']+\.production\.js)'\)/;

export const reactAsModules: Plugin = {
  name: 'react-as-modules',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!FILE.test(id)) return;
    const source = readFileSync(id, 'utf8');
    const production = source.match(PRODUCTION_FILE)?.[1];
    return production ? `export * from '${production}';` : toModule(source);
  },
};

/**
 * For files that require a package only as `NAME = require("…")` in a declaration, and assign an export once at the top level
 * or never declare it.
 */
export function toModule(source: string): string {
  const required = [...source.matchAll(/\b(\w+) = require\("([^"]+)"\)/g)];
  const exported = [...new Set(source.match(/(?<=\bexports\.)\w+/g))];
  const isConstant = (name: string) => source.match(new RegExp(`\\bexports\\.${name} = `, 'g'))?.length === 1;
  const body = source
    .replace(/\b(\w+) = require\("[^"]+"\)/g, 'unused_$1')
    .replace(/^exports\.(\w+) = /gm, (all, name) => (isConstant(name) ? `const export_${name} = ` : all))
    .replace(/\bexports\.(\w+)/g, 'export_$1');
  if (/\brequire\(|\bmodule\.exports\b|\bexports\b/.test(body))
    throw new Error('React has another form of CommonJS now.');
  return [
    ...required.map(([, name, from]) => `import * as ${name} from '${from}';`),
    ...exported.filter((name) => !isConstant(name)).map((name) => `let export_${name};`),
    body,
    `export { ${exported.map((name) => `export_${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}
