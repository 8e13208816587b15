// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { DidYouMean, type SearchReading, SearchReadingNote } from './search-reading';

const noteOf = (typed: string, reading: SearchReading) => {
  const { container, unmount } = render(<SearchReadingNote typed={typed} reading={reading} />);
  const text = container.textContent;
  unmount();
  return text;
};

describe('the note above the results', () => {
  it('says which spelling was searched for', () => {
    expect(noteOf('choley', { correctedTo: 'chhole' })).toBe('Showing results for “chhole”');
  });
  it('says which words were left out', () => {
    const partialMatch = { found: ['goda'], leftOut: ['laptop', 'phone'] };
    expect(noteOf('goda laptop phone', { partialMatch })).toBe(
      'No results for “laptop” or “phone”. Showing results for “goda”',
    );
  });
  it('says that no product has all words', () => {
    const partialMatch = { found: ['butter', 'chicken'], leftOut: [] };
    expect(noteOf(' butter chicken', { partialMatch })).toBe(
      'No product has all words of “butter chicken”. Showing results for “butter” or “chicken”',
    );
  });
  it('is silent where the text was found as it was typed', () => {
    expect(noteOf('goda', {})).toBe('');
  });
});

it('asks about a guess', async () => {
  let chosen = 0;
  render(<DidYouMean typed="chickpae" guess="chhole" onChoose={() => chosen++} />);
  expect(screen.getByRole('status').textContent).toBe('No results for “chickpae”. Did you mean chhole?');
  await userEvent.click(screen.getByRole('button', { name: 'chhole' }));
  expect(chosen).toBe(1);
});
