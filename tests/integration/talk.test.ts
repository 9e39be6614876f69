import { createTestChat, until } from '@parley/testkit';
import { expect, test } from 'vitest';

test('M4 two people talk through the real server', async () => {
  await using chat = await createTestChat({ users: ['ana', 'bo'] });
  const ana = await chat.connect('ana');
  const bo = await chat.connect('bo');
  const cid = await ana.client.channels.direct(['bo']);
  const same = await bo.client.channels.direct(['ana']);

  await ana.client.messages.send(cid, { text: 'Hello Bo' });

  expect(same).toBe(cid);
  const state = bo.client.channels.state(cid);
  await until(() => state.get()?.messages.at(-1)?.text === 'Hello Bo', 'the message at Bo');
  expect(state.get()?.unread).toBe(1);
});
