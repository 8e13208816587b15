// @vitest-environment happy-dom
// Stylesheets of a part of the app: loaded once, behind the others, and again after a failure.
import { afterEach, expect, it, vi } from 'vitest';
import { loadStyles } from './load-styles';

const URL = '/assets/part.css';
const links = () => [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];

afterEach(() => {
  vi.restoreAllMocks();
  for (const link of links()) link.remove();
});

it('loads a stylesheet once, behind the others', async () => {
  await loadStyles(URL);
  expect(document.head.lastElementChild?.getAttribute('href')).toBe(URL);
  await loadStyles(URL);
  expect(links()).toHaveLength(1);
});

it('tries again after a failure', async () => {
  vi.spyOn(document.head, 'append').mockImplementationOnce((link) => {
    (link as HTMLLinkElement).dispatchEvent(new Event('error'));
  });
  await expect(loadStyles(URL)).rejects.toThrow('/assets/part.css was not loaded');
  await loadStyles(URL);
  expect(links()).toHaveLength(1);
});
