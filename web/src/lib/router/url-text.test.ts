import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUrlText, DEBOUNCE_MS } from './url-text';

describe('a field in the URL', () => {
  let url: string;
  let written: string[];
  const make = () => {
    const field = createUrlText({
      read: () => url,
      write: (text) => {
        url = text;
        written.push(text);
      },
      visit: () => `visit to ${url}`,
    });
    return { ...field, observe: (shown: string) => field.observe(shown, `visit to ${shown}`) };
  };

  beforeEach(() => {
    vi.useFakeTimers();
    url = '';
    written = [];
  });
  afterEach(() => vi.useRealTimers());

  it('writes the URL once, when the typing pauses', () => {
    const field = make();
    for (const text of ['p', 'pa', 'pan ']) {
      field.type(text);
      vi.advanceTimersByTime(DEBOUNCE_MS - 1);
    }
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['pan']);
  });

  it('does not follow its own URL, however late it is shown', () => {
    const field = make();
    field.type('pan');
    field.flush();
    field.type('pane');
    expect(field.observe('pan'), 'the first is shown while more is typed').toBe(false);
    field.flush();
    field.type('paneer');
    expect(field.observe('pan'), 'the first is shown again').toBe(false);
    expect(field.observe('pane')).toBe(false);
    vi.advanceTimersByTime(DEBOUNCE_MS);
    expect(written).toEqual(['pan', 'pane', 'paneer']);
  });

  it('follows Back, and drops what waits', () => {
    const field = make();
    field.observe('');
    field.type('pan');
    field.flush();
    field.observe('pan');
    field.type('pane');
    url = 'chai';
    expect(field.observe('chai')).toBe(true);
    vi.advanceTimersByTime(DEBOUNCE_MS);
    expect(written).toEqual(['pan']);
  });

  it('follows Back also before its own URL was ever shown', () => {
    const field = make();
    field.type('pan');
    field.flush();
    url = '';
    expect(field.observe('')).toBe(true);
    field.type('pan');
    field.flush();
    expect(written).toEqual(['pan', 'pan']);
  });

  it('follows a return to what it once wrote itself', () => {
    const field = make();
    field.type('pan');
    field.flush();
    url = 'chai';
    expect(field.observe('chai')).toBe(true);
    url = 'pan';
    expect(field.observe('pan')).toBe(true);
  });

  it('keeps what was typed before the URL was shown for the first time', () => {
    const field = make();
    field.type('pan');
    expect(field.observe('')).toBe(false);
    vi.advanceTimersByTime(DEBOUNCE_MS);
    expect(written).toEqual(['pan']);
  });

  it('does not write what the URL has already', () => {
    const field = make();
    field.type('pan');
    field.type('');
    vi.advanceTimersByTime(DEBOUNCE_MS);
    expect(written).toEqual([]);
  });

  it('takes a value that was written for it as its own', () => {
    const field = make();
    field.type('pan');
    field.reset('pan');
    url = 'pan';
    field.type('pane');
    expect(field.observe('pan')).toBe(false);
  });

  it('writes nothing after it was reset', () => {
    const field = make();
    field.type('pan');
    field.reset();
    vi.advanceTimersByTime(DEBOUNCE_MS);
    expect(written).toEqual([]);
  });

  it('keeps what is typed while React still shows the visit before', () => {
    let visit = 'first';
    const field = createUrlText({ read: () => '', write: (text) => written.push(text), visit: () => visit });
    expect(field.observe('', 'first')).toBe(true);
    visit = 'status chosen';
    field.type('8ccc');
    expect(field.observe('', 'status chosen'), 'shown late').toBe(false);
    vi.advanceTimersByTime(DEBOUNCE_MS);
    expect(written).toEqual(['8ccc']);
    field.type('8ccc9');
    visit = 'reset';
    expect(field.observe('', 'reset'), 'a newer visit').toBe(true);
  });
});
