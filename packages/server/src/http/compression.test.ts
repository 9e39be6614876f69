import { expect, test } from 'vitest';
import { encodingFor } from './compression.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['gzip;q=0.5, br; q=0.1', 'br'],
  ['*', 'gzip'],
  ['*;q=0', undefined],
  ['deflate', undefined],
  ['gzip;q=nonsense', undefined],
])('accept-encoding %s gets %s', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});
