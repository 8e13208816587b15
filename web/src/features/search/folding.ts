// Whether a name sounds like what was typed: other spellings of Hindi and Marathi words, and Devanagari. The rules and the
// table are those of the server (crates/domain/src/search), and a test compares the two. Loaded when the search box is used.
import { spellingTable as spelling } from '~/shared/spelling-table';

const { rules } = spelling as { rules: string[][] };
const consonants: Record<string, string> = spelling.consonants;
const vowels: Record<string, string> = spelling.vowels;
const signs: Record<string, string> = spelling.signs;
const accents: Record<string, string> = spelling.accents;

const VIRAMA = '\u094d';
const NASALS = '\u0901\u0902';
const DEVANAGARI = /[\u0900-\u097f]/;

type Syllable = { consonant: string; vowel: string; inherent: boolean; nasal: boolean };

function toLatin(word: string): string {
  if (!DEVANAGARI.test(word)) return word;
  const syllables: Syllable[] = [];
  const add = (consonant: string, vowel: string, inherent = false) =>
    syllables.push({ consonant, vowel, inherent, nasal: false });
  for (const letter of word) {
    const last = syllables.at(-1);
    const vowel = letter === VIRAMA ? '' : signs[letter];
    if (consonants[letter]) add(consonants[letter], 'a', true);
    else if (vowel !== undefined) {
      if (last) Object.assign(last, { vowel, inherent: false });
    } else if (vowels[letter]) add('', vowels[letter]);
    else if (NASALS.includes(letter)) {
      if (last) last.nasal = true;
    } else if (!DEVANAGARI.test(letter)) add(letter, '');
  }
  const end = syllables.length - 1;
  const isSilent = (at: number) => {
    const { inherent, nasal } = syllables[at] as Syllable;
    return inherent && !nasal;
  };
  if (end > 0 && isSilent(end)) (syllables[end] as Syllable).vowel = '';
  for (let at = 1; at < end; at++) {
    const [before, here, next] = syllables.slice(at - 1) as [Syllable, Syllable, Syllable];
    if (isSilent(at) && before.vowel && !before.nasal && next.vowel && next.consonant) here.vowel = '';
  }
  return syllables.map(({ consonant, vowel, nasal }) => consonant + vowel + (nasal ? 'n' : '')).join('');
}

/** An empty set is any letter, `^` negates, `$` is the edge of the word. */
const contains = (set: string, letter = '$') =>
  !set || (set.startsWith('^') ? !set.slice(1).includes(letter) : set.includes(letter));

export function fold(word: string): string {
  let folded = toLatin(word.toLowerCase()).replace(/[^a-z0-9]/g, (letter) => accents[letter] ?? '');
  for (const [after = '', find = '', before = '', put = ''] of rules) {
    let next = '';
    for (let at = 0; at < folded.length; ) {
      const end = at + find.length;
      if (folded.startsWith(find, at) && contains(after, folded[at - 1]) && contains(before, folded[end])) {
        next += put;
        at = end;
      } else next += folded[at++];
    }
    folded = next;
  }
  return folded.replace(/([a-z])\1+/g, '$1');
}

export function sound(folded: string): string {
  let key = folded.slice(0, 1) + folded.slice(1).replaceAll('a', '');
  while (key.length > 2 && /[eiou]$/.test(key)) key = key.slice(0, -1);
  return key.length < 3 ? folded : key;
}

const sounds = (text: string) =>
  (text.match(/[\p{L}\p{N}\u0900-\u0963\u0966-\u097f]+/gu) ?? []).map((word) => sound(fold(word))).filter(Boolean);

/** Every word that was typed sounds like a word of the name, or like the start of one. */
export function soundsLike(name: string, typed: string): boolean {
  const words = sounds(name);
  const wanted = sounds(typed);
  const isFound = (one: string) => words.some((word) => word === one || (one.length > 2 && word.startsWith(one)));
  return wanted.length > 0 && wanted.every(isFound);
}
