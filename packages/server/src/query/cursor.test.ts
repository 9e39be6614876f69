import { ParleyError } from '@parley/protocol/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

const key = 'a key of the server';
const owner = { resource: 'things', scope: '', filter: '$and()', sort: '[["at",-1]]', actorId: 'me' };

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (
      error instanceof ParleyError &&
      error.name === 'InputInvalid' &&
      error.details?.[0]?.path === 'next'
    ) {
      return error.message;
    }
    throw error;
  }
  throw new Error('the cursor was accepted');
}

test('a cursor brings its values back', () => {
  const values = fc.array(fc.option(fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 4 });

  fc.assert(
    fc.property(values, (each) => {
      expect(decodeCursor(encodeCursor(each, owner, key), owner, key)).toEqual(each);
    }),
  );
});

test('a cursor changed in any place is refused', () => {
  const cursor = encodeCursor(['2026-01-01 00:00:00.001+00', 'x'], owner, key);
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ';
  const place = fc.integer({ min: 0, max: cursor.length });
  const edit = fc.record({
    place,
    remove: fc.nat(3),
    insert: fc.string({ unit: fc.constantFrom(...characters), maxLength: 3 }),
  });

  fc.assert(
    fc.property(edit, ({ place: at, remove, insert }) => {
      const changed = cursor.slice(0, at) + insert + cursor.slice(at + remove);
      fc.pre(changed !== cursor);
      expect(refusalOf(() => decodeCursor(changed, owner, key))).toContain('not a cursor from this server');
    }),
    { numRuns: 1000 },
  );
});

test.each(['', 'x', '💥', 5, {}, [], true, 'A'.repeat(60)])('%j is no cursor', (next) => {
  expect(refusalOf(() => decodeCursor(next, owner, key))).toContain('not a cursor from this server');
});

test.each([
  { resource: 'others' },
  { scope: 'message-1' },
  { filter: '$or()' },
  { sort: '[["at",1]]' },
  { actorId: 'you' },
  { actorId: null },
])('a cursor is refused for %j', (other) => {
  const cursor = encodeCursor(['x'], owner, key);

  expect(refusalOf(() => decodeCursor(cursor, { ...owner, ...other }, key))).toContain('another query');
});

test('a cursor of another key is refused', () => {
  const cursor = encodeCursor(['x'], owner, 'another key');

  expect(refusalOf(() => decodeCursor(cursor, owner, key))).toContain('not a cursor from this server');
});
