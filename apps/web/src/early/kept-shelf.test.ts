import type { Screen } from '@parley/client/channels';
import { expect, test } from 'vitest';
import { createKeptShelf } from './kept-shelf.ts';

const aStorage = (values: Record<string, string> = {}) => ({
  values,
  getItem: (key: string) => values[key] ?? null,
  setItem: (key: string, value: string) => {
    values[key] = value;
  },
  removeItem: (key: string) => {
    delete values[key];
  },
});

const screenOf = (id: string, cids: string[] = []): Screen => ({
  me: {
    ...{ id, name: id, role: 'user', online: true, created_at: '', updated_at: '' },
    ...{ unread_count: 0, unread_channels: 0, unread_threads: 0, privacy_settings: {} },
    ...{ mutes: [], channel_mutes: [], blocked_user_ids: [], devices: [] },
  },
  query: {},
  cids,
  channels: [],
});

const day = 24 * 60 * 60 * 1000;

test('W1 a kept screen is read by the same user and the same version, without who was online', () => {
  const storage = aStorage();
  createKeptShelf(storage, 'v1', () => day).write(screenOf('ana', ['team:general']));

  const read = createKeptShelf(storage, 'v1', () => 2 * day).read('ana');
  expect(read?.cids).toEqual(['team:general']);
  expect(read?.me).not.toHaveProperty('online');
});

test('W1 a kept screen of another user, another version or of last week is not shown', () => {
  const storage = aStorage();
  createKeptShelf(storage, 'v1', () => day).write(screenOf('ana'));

  expect(createKeptShelf(storage, 'v1', () => day).read('bo')).toBeUndefined();
  expect(createKeptShelf(storage, 'v2', () => day).read('ana')).toBeUndefined();
  expect(createKeptShelf(storage, 'v1', () => 8 * day).read('ana')).toBeUndefined();
  // The clock of the device was put back.
  expect(createKeptShelf(storage, 'v1', () => -7 * day).read('ana')).toBeUndefined();
  // Under the key of one user, with the content of another.
  const moved = aStorage({ 'parley screen bo': storage.values['parley screen ana'] ?? '' });
  expect(createKeptShelf(moved, 'v1', () => day).read('bo')).toBeUndefined();
});

test.each([
  ...['{', 'null', '7', '{"version":"v1","at":86400000}', '{"version":"v1","at":86400000,"screen":{}}'],
  '{"version":"v1","at":86400000,"screen":{"me":{"id":"ana"},"cids":[]}}',
  '{"version":"v1","at":86400000,"screen":{"me":{"id":"ana"},"channels":[]}}',
])('W1 a damaged kept screen (%s) counts as none', (text) => {
  const storage = aStorage({ 'parley screen ana': text });
  expect(createKeptShelf(storage, 'v1', () => day).read('ana')).toBeUndefined();
});

test('W1 a screen that is too large, or finds no room, is not kept, nor is the one before it', () => {
  const storage = aStorage();
  const shelf = createKeptShelf(storage, 'v1', () => day);
  shelf.write(screenOf('ana'));
  shelf.write(screenOf('ana', ['x'.repeat(700_000)]));
  expect(storage.values).toEqual({});

  shelf.write(screenOf('ana'));
  storage.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  shelf.write(screenOf('ana'));
  expect(storage.values).toEqual({});
});
