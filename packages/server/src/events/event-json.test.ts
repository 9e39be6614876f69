import { expect, test } from 'vitest';
import { asNotification, logEventJson, messageNewJson } from './event-json.ts';

const at = '2026-01-31T12:00:00.000Z';

test('an event of the log carries type, seq, channel and fields', () => {
  const json = logEventJson({ type: 'channel.updated', seq: 7, cid: 'team:a', createdAt: at }, { x: 1 });

  expect(JSON.parse(json)).toEqual({
    type: 'channel.updated',
    seq: 7,
    cid: 'team:a',
    channel_type: 'team',
    channel_id: 'a',
    created_at: at,
    x: 1,
  });
});

test.each(['hello', 'a "seq":9, of, commas', '{"type":"x"}', '\\"seq\\":1,'])(
  'a notification is the same without seq, whatever the text: %s',
  (text) => {
    const json = messageNewJson(12, 'team:a', at, JSON.stringify({ id: 'm', text }));
    const { seq, ...event } = JSON.parse(json);

    expect(seq).toBe(12);
    expect(JSON.parse(asNotification(json))).toEqual({ ...event, type: 'notification.message_new' });
  },
);

test('a notification is made of the log event of a reply, too', () => {
  const fields = { message: { id: 'm', text: ',"seq":3,' } };
  const json = logEventJson({ type: 'message.new', seq: 3, cid: 'team:a', createdAt: at }, fields);

  expect(JSON.parse(asNotification(json))).toMatchObject({ type: 'notification.message_new', ...fields });
});
