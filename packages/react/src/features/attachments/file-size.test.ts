import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test.each([
  [0, '0 bytes'],
  [840, '840 bytes'],
  [1000, '1 kB'],
  [1536, '1.5 kB'],
  [2_900_000, '2.8 MB'],
  [104_857_600, '100 MB'],
  [5_368_709_120, '5 GB'],
])('A1 %d bytes are %s', (bytes, words) => {
  expect(fileSize(bytes, 'en')).toBe(words);
});
