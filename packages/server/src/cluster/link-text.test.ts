import { expect, test } from 'vitest';
import type { BusEvent } from '../bus/bus.ts';
import { type Outgoing, readLinkText, writeLinkText } from '../bus/link-text.ts';
import { packTexts } from './notify-link.ts';

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

  expect(packed.join('\n').split('\n')).toEqual(texts);
  expect(packed.map((text) => Buffer.byteLength(text)).every((bytes) => bytes <= 100)).toBe(true);
  expect(packed).toHaveLength(3);
});
