// The whole build: the client, the server bundle (which reads the client's manifest), the list of pages, precompressed
// copies, the size budget. Any failure ends it.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkBudget } from './budget.mjs';
import { compressFolder } from './compress.mjs';
import { writePageList } from './page-list.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = (...args) =>
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...args], { cwd: root, stdio: 'inherit' });

vite();
vite('--config', 'vite.server.config.ts');
writePageList(`${root}dist/server`);
compressFolder(`${root}dist/client`);
checkBudget(`${root}dist/client`);
