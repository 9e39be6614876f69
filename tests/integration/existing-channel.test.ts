import { createTestChat } from '@parley/testkit';
import { expect, test } from 'vitest';

test('M1 a good id makes a channel once (201), and gets it after that (200)', async () => {
  await using chat = await createTestChat({ users: ['ana', 'bo'] });
  const ana = await chat.as('ana');
  const url = `/channels/messaging/${encodeURIComponent("Az09@_.!~*'()-")}/query`;
  const direct = { body: '{"data":{"members":["ana","bo"]}}' };

  const made = await ana.raw('POST', url, { body: '{"data":{"name":"Good"}}' });
  const again = await ana.raw('POST', url, { body: '{"data":{"name":"Other"}}' });
  const one = await ana.raw('POST', '/channels/messaging/query', direct);
  const two = await ana.raw('POST', '/channels/messaging/query', direct);

  expect([made, again, one, two].map(({ status }) => status)).toEqual([201, 200, 201, 200]);
});
