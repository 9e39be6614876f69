import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], wired: true });
});
afterAll(() => chat.stop());

const path = { type: 'messaging', id: 'room' };
beforeAll(async () => {
  await chat.admin.channels.create(path.type, path.id, { created_by_id: 'ana', members: ['ana', 'bo'] });
});

/** Bo's events in their order, while Ana deletes her message in the middle of an act of Bo's. */
const deleteDuring = async (
  act: (id: string) => Promise<unknown>,
  prepare: (id: string) => Promise<unknown> = async () => undefined,
): Promise<string[]> => {
  const ana = await chat.as('ana');
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'secret' } },
  });
  await prepare(message.id);
  const { client, faults } = await chat.connect('bo');
  await client.channels.open(path.type, path.id);
  const frames: string[] = [];
  faults.onFrame((json) => {
    frames.push(json);
    return undefined;
  });
  // All that Bo's call reads before its transaction is read when the transaction begins.
  const holding = chat.wire.holdAnswer(/^(begin|start transaction)/);
  const acting = act(message.id).catch(() => undefined);
  const { release } = await holding;
  await ana.call('DELETE /messages/{id}', { path: { id: message.id } });
  release();
  await acting;
  await chat.admin.messages.send('messaging:room', 'ana', { text: 'marker' });
  await until(() => frames.some((json) => json.includes('marker')), 'the marker');
  await client.disconnect();
  const deleted = frames.findIndex((json) => json.startsWith('{"type":"message.deleted"'));
  return frames.slice(deleted + 1);
};

test('P62 a reminder whose message is deleted while it is made shows nothing of it', async () => {
  const bo = await chat.as('bo');

  const after = await deleteDuring((id) =>
    bo.call('POST /messages/{id}/reminders', { path: { id }, body: {} }),
  );

  expect(after.filter((json) => json.includes('secret'))).toEqual([]);
});

test('P62 a note on a message that is deleted meanwhile shows nothing of it', async () => {
  const bo = await chat.as('bo');

  const after = await deleteDuring(
    (id) => bo.call('PATCH /messages/{id}/reminders', { path: { id }, body: { note: 'later' } }),
    (id) => bo.call('POST /messages/{id}/reminders', { path: { id }, body: {} }),
  );

  expect(after.filter((json) => json.includes('secret'))).toEqual([]);
});

test('M8 a draft that quotes a message which is deleted while it is kept shows nothing of it', async () => {
  const bo = await chat.as('bo');

  const after = await deleteDuring((id) =>
    bo.call('POST /channels/{type}/{id}/draft', {
      path,
      body: { message: { text: 'mine', quoted_message_id: id } },
    }),
  );

  expect(after.filter((json) => json.includes('secret'))).toEqual([]);
});

test('M12 a pending message that is dropped while what it quotes is deleted shows nothing of that', async () => {
  const bo = await chat.as('bo');

  const after = await deleteDuring(
    () => bo.call('DELETE /messages/{id}', { path: { id: 'kept-back' } }),
    (id) =>
      bo.call('POST /channels/{type}/{id}/message', {
        path,
        body: { message: { id: 'kept-back', text: 'mine', quoted_message_id: id }, pending: true },
      }),
  );

  expect(after.filter((json) => json.includes('secret'))).toEqual([]);
});
