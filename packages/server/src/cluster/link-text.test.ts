import { expect, test } from 'vitest';
import type { BusEvent } from '../bus/bus.ts';
import { type Outgoing, readLinkText, writeLinkText } from '../bus/link-text.ts';
import { packTexts, unpackTexts } from '../bus/packed-texts.ts';
import { SignedTexts } from '../bus/signed-texts.ts';

const events: BusEvent[] = [
  { kind: 'channel', cid: 'team:a', type: 'message.new', seq: 3, json: '{"text":"tab\\t and line\\n"}' },
  { kind: 'channel', cid: 'team:a', type: 'typing.start', json: '{}' },
  { kind: 'users', userIds: ['ana', 'bo'], type: 'draft.updated', json: '{"draft":{}}' },
  { kind: 'presence', userId: 'ana', json: '{"user":{"name":"Ána"}}' },
  { kind: 'stale', what: 'member', key: 'team:a', userId: 'ana' },
];
const messages: Outgoing[] = [
  ...events.map((event): Outgoing => ({ kind: 'event', event })),
  { kind: 'beat', seqs: [['team:a', 3]] },
  { kind: 'present', userIds: [], isFirst: true, isLast: true },
];

test.each(messages)('W4 a message between servers is read as it was written: %j', (message) => {
  expect(readLinkText(writeLinkText('one', message))).toEqual({ from: 'one', ...message });
});

test('W4 a notification holds as many texts as fit, in order, and none is cut', () => {
  const texts = ['a'.repeat(40), 'é'.repeat(20), 'b', 'c'.repeat(99), 'd'];

  const packed = packTexts(texts, 100);

  expect(packed.flatMap(unpackTexts)).toEqual(texts);
  expect(packed.map((text) => Buffer.byteLength(text)).every((bytes) => bytes <= 100)).toBe(true);
  expect(packed).toHaveLength(3);
});

test('W4 a text is believed once, on the subject it was signed for, and for an hour', () => {
  let now = Date.UTC(2026, 0, 1);
  const create = (secret: string) => new SignedTexts({ secret, now: () => now });
  const [here, there, stranger] = [create('secret'), create('secret'), create('another')];
  const [first, second] = [here.sign('one', 'all', 'first text'), here.sign('one', 'all', '')];

  expect(there.read('all', first)).toBe('first text');
  expect(there.read('all', second)).toBe('');
  expect([first, second].map((text) => there.read('all', text))).toEqual([undefined, undefined]);
  expect(there.read('server', here.sign('one', 'all', 'third'))).toBeUndefined();
  expect(there.read('all', stranger.sign('one', 'all', 'forged'))).toBeUndefined();
  expect(['', ' ', 'forged', `${first}!`].map((text) => there.read('all', text))).toEqual(Array(4));
  now -= 1000;
  expect(there.read('all', here.sign('one', 'all', 'the clock went back'))).toBe('the clock went back');
  now += 61 * 60 * 1000;
  expect(create('secret').read('all', first)).toBeUndefined();
});
