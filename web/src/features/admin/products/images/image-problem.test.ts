import { expect, test } from 'vitest';
import { imageProblem, savedImagesProblem } from './image-problem';

const hosts = ['images.example.com'];

test('the message names the host and the setting', () => {
  expect(imageProblem('goda pouch.webp', hosts)).toBe('');
  expect(imageProblem('https://images.example.com/a.webp', hosts)).toBe('');
  expect(imageProblem('https://elsewhere.example/a.webp', hosts)).toBe(
    'Customers do not see this image: elsewhere.example is not in image_hosts under [pictures] in the configuration. Add it there, or upload the image.',
  );
  expect(imageProblem('http://images.example.com/a.webp', hosts)).toContain('https://');
});

test('after saving all images are summed up', () => {
  const one = 'https://elsewhere.example/a.webp';
  expect(savedImagesProblem(['a.webp', 'https://images.example.com/a.webp'], hosts)).toBe('');
  expect(savedImagesProblem([one, 'a.webp'], hosts)).toBe(
    'Customers do not see 1 image: elsewhere.example is not in image_hosts under [pictures] in the configuration.',
  );
  expect(savedImagesProblem([one, `${one}?2`, 'https://third.example/a.webp'], hosts)).toContain(
    '3 images: elsewhere.example, third.example are not in',
  );
  expect(savedImagesProblem(['http://images.example.com/a.webp'], hosts)).toContain('https://');
});
