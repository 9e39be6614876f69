import type { User } from '@parley/protocol';
import { expect, test } from 'vitest';
import { createBatch } from '../readable.ts';
import { createUserCache } from './user-cache.ts';

const version = (day: number, more: Partial<User> = {}): User => {
  const updated_at = `2026-01-0${day}T00:00:00.000Z`;
  return { id: 'bo', role: 'user', name: `Bo ${day}`, created_at: updated_at, updated_at, ...more };
};
const createCache = () => createUserCache(10, createBatch());

test('S20 of two events about a user the newer version stays, in whichever order they come', () => {
  const users = createCache();
  users.put(version(2, { online: true }));

  expect(users.put(version(1, { online: false }))).toMatchObject({ name: 'Bo 2', online: false });
  expect(users.put(version(3))).toMatchObject({ name: 'Bo 3', online: false });
  expect(users.readable('bo').get()).toMatchObject({ name: 'Bo 3', online: false });
});

test('S20 a field that is gone from the newer version is gone', () => {
  const users = createCache();
  users.put(version(1, { image: 'https://example.com/bo.png' }));

  expect(users.put(version(2))).not.toHaveProperty('image');
});
