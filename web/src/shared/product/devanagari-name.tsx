// The name of a product in Devanagari.
import { NAME_WORDS } from './devanagari-words';

const inCutFont = new Set(['', ...NAME_WORDS.split(' ')]);
const NOT_DEVANAGARI = /[^\u0900-\u097f\u200c\u200d]+/;

export function DevanagariName({ name, className = '' }: { name: string; className?: string }) {
  const isCut = name.split(NOT_DEVANAGARI).every((word) => inCutFont.has(word));
  return (
    <p lang="mr" className={`devanagari ${isCut ? '' : 'devanagari-whole'} text-chilli ${className}`}>
      <span>{name}</span>
    </p>
  );
}
