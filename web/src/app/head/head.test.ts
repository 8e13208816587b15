// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { applyHead, type Head } from './head';

const home: Head = { title: 'Mirasa', canonical: 'https://mirasa.example/', indexable: true };
const description = () => document.querySelector('meta[name="description"]');

it('keeps the description of the page that was loaded, and of no other page', () => {
  document.head.innerHTML =
    '<meta name="description" content="Masalas"><link rel="canonical" href="https://mirasa.example/">';
  applyHead(home);
  expect(description()).not.toBeNull();
  applyHead({ ...home, title: 'Contact · Mirasa', canonical: 'https://mirasa.example/contact' });
  expect(description()).toBeNull();
  expect(document.querySelector('link[rel="canonical"]')?.getAttribute('href')).toBe('https://mirasa.example/contact');
});
