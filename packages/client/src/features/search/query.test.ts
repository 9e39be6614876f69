import { expect, test } from 'vitest';
import { parseSearch, toFilter } from './query.ts';

test('M13 filters are read from what is typed; the rest are words', () => {
  expect(
    parseSearch('from:bo big in:messaging:team  has:link has:attachment plan before:2026-01-31 '),
  ).toEqual({
    words: 'big plan',
    filters: { from: 'bo', in: 'messaging:team', has: ['link', 'attachment'], before: '2026-01-31' },
  });
});

test('M13 a filter that is still being typed asks for people or channels', () => {
  expect(parseSearch('plan from:b')).toEqual({
    words: 'plan',
    filters: {},
    open: { key: 'from', text: 'b' },
  });
  expect(parseSearch('in:').open).toEqual({ key: 'in', text: '' });
});

test('M13 a word that only looks like a filter is a word', () => {
  expect(parseSearch('https://x.org has:fun before:tomorrow from: a').words).toBe(
    'https://x.org has:fun before:tomorrow a',
  );
});

test('M13 filters become the filter of the call', () => {
  expect(toFilter({ from: 'me', has: ['link'], before: '2026-02-01', after: '2026-01-01' }, 'ana')).toEqual({
    user_id: 'ana',
    has_link: true,
    created_at: { $lt: '2026-02-01T00:00:00.000Z', $gte: '2026-01-01T00:00:00.000Z' },
  });
  expect(toFilter({}, 'ana')).toEqual({});
});
