import { expect, test } from 'vitest';
import { canShowImage, imageHost } from './image-hosts';

const hosts = ['images.example.com', 'cdn.example.net:8443'];
const can = (file: string) => canShowImage(file, hosts);

test('uploaded files are shown, and https URLs of the configured hosts', () => {
  expect(can('goda pouch.webp')).toBe(true);
  expect(can('https://images.example.com/goda.webp')).toBe(true);
  expect(can('HTTPS://Images.Example.com:443/goda.webp?x=1')).toBe(true);
  expect(can('https://cdn.example.net:8443/goda.webp')).toBe(true);
  expect(can('')).toBe(false);
});

test('no other host, scheme or spelling is requested', () => {
  for (const file of [
    'https://elsewhere.example/a.webp',
    'https://images.example.com.elsewhere.example/a.webp',
    'https://images.example.com@elsewhere.example/a.webp',
    'https://images.example.com\\@elsewhere.example/a.webp',
    'https://images.example.com:8443/a.webp',
    'http://images.example.com/a.webp',
    '//images.example.com/a.webp',
    '\\\\images.example.com\\a.webp',
    'ftp://images.example.com/a.webp',
    'file:///etc/passwd',
  ])
    expect(can(file), file).toBe(false);
  expect(canShowImage('https://images.example.com/a.webp', [])).toBe(false);
});

test('the host is named for the admin', () => {
  expect(imageHost('https://Elsewhere.example/a.webp')).toBe('elsewhere.example');
  expect(imageHost('http://elsewhere.example/a.webp')).toBeNull();
});
