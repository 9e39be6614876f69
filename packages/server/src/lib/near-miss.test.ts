import { expect, test } from 'vitest';
import { nearMiss } from './near-miss.ts';

const known = ['id', 'name', 'created_at', 'last_message_at', 'DATABASE_URL'];

test.each([
  ['naem', 'name'],
  ['nam', undefined],
  ['nmae', 'name'],
  ['names', 'name'],
  ['createdAt', 'created_at'],
  ['craeted_at', 'created_at'],
  ['last_mesage_at', 'last_message_at'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['ix', undefined],
  ['colour', undefined],
  ['game', undefined],
])('%s is taken for %s', (given, meant) => {
  expect(nearMiss(given, known)).toBe(meant);
});
