import { expect, test } from 'vitest';
import { channelIdFrom } from './channel-id.ts';

test.each([
  ['Summer trip', 'summer-trip-'],
  ['  Caffè & Co: 2026 ', 'caffe-co-2026-'],
  ['مرحبا', ''],
])('%j', (name, start) => {
  const id = channelIdFrom(name, () => 0.5);

  expect(id).toMatch(/^[a-z0-9-]{1,64}$/);
  expect(id.startsWith(start)).toBe(true);
});
