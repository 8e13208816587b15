// How the shop read a search: in another spelling, without a word that it does not know, or as a guess to ask about.
import type { PartialMatch } from '~/api/types';
import { Link } from '~/lib/router/router';

export type SearchReading = {
  /** The search as the shop spells it. Where nothing was found it is a guess. */
  correctedTo?: string | null | undefined;
  /** Which words were searched for, where no product has all of them. */
  partialMatch?: PartialMatch | null | undefined;
};

/** Of a search that found the text as it was typed. */
export const READ_AS_TYPED: SearchReading = {};

type NoteProps = { typed: string; reading: SearchReading };

/** Stands above what was found. */
export function SearchReadingNote({ typed, reading: { correctedTo, partialMatch } }: NoteProps) {
  if (!partialMatch && !correctedTo) return null;
  return (
    <p role="status" className="mb-6 text-[1.0625rem] text-ink-soft [overflow-wrap:anywhere]">
      {partialMatch ? (
        <>
          {partialMatch.leftOut.length > 0 ? (
            <>No results for {quoted(partialMatch.leftOut)}.</>
          ) : (
            <>No product has all words of {quoted([typed.trim()])}.</>
          )}{' '}
          Showing results for {quoted(partialMatch.found)}
        </>
      ) : (
        <>Showing results for {quoted([correctedTo ?? ''])}</>
      )}
    </p>
  );
}

type GuessProps = { typed: string; guess: string; className?: string } & (
  | { to: string; onChoose?: never }
  | { to?: never; onChoose: () => void }
);

/** Stands where nothing was found. */
export function DidYouMean({ typed, guess, to, onChoose }: GuessProps) {
  const look = 'font-semibold text-chilli underline underline-offset-4 hover:no-underline';
  return (
    <p role="status" className="pt-6 text-center text-[1.0625rem] [overflow-wrap:anywhere]">
      No results for {quoted([typed.trim()])}. Did you mean{' '}
      {to ? (
        <Link to={to} className={`${look} inline-flex min-h-11 items-center`}>
          {guess}
        </Link>
      ) : (
        <button type="button" onClick={onChoose} className={`${look} min-h-11`}>
          {guess}
        </button>
      )}
      ?
    </p>
  );
}

/** “a”, “b” or “c” */
function quoted(words: string[]) {
  return words.map((word, at) => (
    <span key={word}>
      {at > 0 && (at === words.length - 1 ? ' or ' : ', ')}
      <b className="text-ink">“{word}”</b>
    </span>
  ));
}
