import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STATE_TILES } from './state-tiles';

test('the map has each state of the address form once, on a place of its own', () => {
  const rust = readFileSync(new URL('../../../../../../crates/domain/src/address.rs', import.meta.url), 'utf8');
  const list = /STATES: \[&str; 36\] = \[([^\]]+)\]/.exec(rust)?.[1] ?? '';
  const states = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
  expect(states).toHaveLength(36);
  expect(STATE_TILES.map(({ state }) => state).sort()).toEqual(states.sort());
  expect(new Set(STATE_TILES.map(({ column, row }) => `${column}/${row}`)).size).toBe(36);
});
