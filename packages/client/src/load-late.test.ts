import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { createLate } from './late.ts';

test('C7 every call of the parts that are loaded late is there from the start', async () => {
  const client = createClient({ apiKey: 'key', baseUrl: 'http://localhost/api' });
  const parts = { ...client, replies: client.messages.replies };
  const made = createLate({ settings: {} } as never, {} as never);
  for (const part of ['users', 'channels', 'members', 'messages', 'reactions', 'reads', 'replies'] as const) {
    const names = Object.keys(made[part]).filter((name) => name !== 'loadFirst');
    expect(Object.keys(parts[part])).toEqual(expect.arrayContaining(names));
  }
  await expect(client.members.join('messaging:general')).rejects.toThrow('User is not set on client');
});
