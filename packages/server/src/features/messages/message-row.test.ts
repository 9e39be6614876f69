import { expect, test } from 'vitest';
import type { MessageRow } from '../../db/rows.ts';
import { type ChannelNumbers, createMessageRow } from './message-row.ts';
import type { Prepared } from './prepare.ts';

const early = '2026-01-31T12:00:00.000Z';
const late = '2026-01-31T12:00:01.000Z';
const parent = { id: 'p' } as MessageRow;

const prepared = (more: Partial<Prepared> = {}): Prepared => ({
  id: 'm',
  cid: 'team:a',
  author: { row: { id: 'bo' } } as Prepared['author'],
  membershipCheck: undefined,
  text: 'hi',
  type: 'regular',
  attachments: [],
  mentioned: [],
  marks: null,
  refs: {
    users: new Map(),
    quoted: new Map(),
    latest: new Map(),
    polls: new Map(),
    locations: new Map(),
    now: '',
  },
  parent: undefined,
  showInChannel: false,
  quoted: undefined,
  pollId: undefined,
  location: undefined,
  silent: false,
  data: {},
  ...more,
});
const numbers = (lastAt: string | null = early): ChannelNumbers => ({
  seq: 10,
  last_number: 4,
  last_message_at: lastAt,
});

test.each<[string, Partial<Prepared>, number, string]>([
  ['a message', {}, 5, late],
  ['a silent one', { silent: true }, 4, late],
  ['a reply', { parent }, 4, early],
  ['a reply shown in the channel', { parent, showInChannel: true }, 5, late],
])('%s moves the numbers', (_title, more, lastNumber, lastAt) => {
  const channel = numbers();
  const row = createMessageRow(prepared(more), channel, late);

  expect(channel).toEqual({ seq: 11, last_number: lastNumber, last_message_at: lastAt });
  expect(row).toMatchObject({ seq: 11, number: lastNumber, created_at: late, updated_at: late });
});

test('time never runs back within a channel', () => {
  const row = createMessageRow(prepared(), numbers(late), early);

  expect(row.created_at).toBe(late);
});

test('the first message of a channel comes now', () => {
  expect(createMessageRow(prepared(), numbers(null), early).created_at).toBe(early);
});
