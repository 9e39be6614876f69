import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

test('C7 who reloads is online for those who ask meanwhile, and offline for all once they stay away', async () => {
  const first = await chat.connect('ana');
  await first.client.disconnect();
  const bo = await chat.connect('bo');
  await bo.client.channels.open('messaging', 'room');
  const isOnline = () => bo.client.presence.isOnline('ana').get();

  expect(isOnline()).toBe(true);
  const again = await chat.connect('ana');
  expect(isOnline()).toBe(true);
  await again.client.disconnect();

  await until(() => !isOnline(), 'that Ana is gone', 8000);
});
