import { expect, test } from 'vitest';
import { badgedIcon } from './favicon.ts';

const plain = "data:image/svg+xml,%3Csvg viewBox='0 0 32 32'%3E%3C/svg%3E";

test('M10 the icon has a dot while something is unread, once', () => {
  const badged = badgedIcon(plain, true);

  expect(badged).toContain('circle');
  expect(badgedIcon(badged, true)).toBe(badged);
  expect(badgedIcon(badged, false)).toBe(plain);
  expect(badgedIcon(plain, false)).toBe(plain);
});
