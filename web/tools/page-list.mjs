// Writes the paths of the pages, as the server bundle has them, to a file that the server reads
// (crates/http/src/pages/page_routes.rs).
import { readFileSync, writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

export function writePageList(folder) {
  const world = createContext({});
  new Script(readFileSync(`${folder}/render.js`, 'utf8')).runInContext(world);
  writeFileSync(`${folder}/pages.json`, JSON.stringify(world.pages));
}
