// How words are folded for comparison: the table of the server (crates/domain/src/search).
import spelling from '../../../crates/domain/src/search/spelling.json';

export const spellingTable = spelling;
