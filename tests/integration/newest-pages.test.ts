import type { ChannelStateReply, Message } from '@parley/protocol';
import { type Caller, createTestChat, createTestClock, type TestChat, type TestClock } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let clock: TestClock;
let ana: Caller;
let bo: Caller;
beforeAll(async () => {
  clock = createTestClock();
  chat = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
  ana = await chat.as('ana');
  bo = await chat.as('bo');
});
afterAll(() => chat.stop());

const make = (id: string) =>
  chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
const pathOf = (id: string) => ({ type: 'messaging', id });
const say = async (who: Caller, id: string, message: Record<string, unknown>): Promise<Message> => {
  clock.advance(1000);
  const reply = await who.call('POST /channels/{type}/{id}/message', { path: pathOf(id), body: { message } });
  return reply.message as Message;
};
const query = async (who: Caller, id: string, messages: Record<string, unknown>): Promise<Message[]> => {
  const reply = await who.call('POST /channels/{type}/{id}/query', { path: pathOf(id), body: { messages } });
  return (reply as ChannelStateReply).messages as Message[];
};

/** The newest page, which may be kept, beside the same messages by their place, which are read each time. */
const expectTrue = async (id: string): Promise<void> => {
  for (const who of [ana, bo])
    for (const limit of [30, 3]) {
      const kept = await query(who, id, { limit });
      const again = await query(who, id, { limit });
      const last = kept.at(-1)?.id;
      const read = last === undefined ? [] : await query(who, id, { limit, id_lte: last });
      expect(kept).toEqual(read);
      expect(again).toEqual(read);
    }
};

test('M4 whatever happens in a channel, its newest page is what a fresh reading gives, to each reader their own', async () => {
  await make('acts');
  const first = await say(ana, 'acts', { text: 'one' });
  const second = await say(bo, 'acts', { text: 'two', mentioned_users: ['ana'] });
  const acts: [string, () => Promise<unknown>][] = [
    ['a message', () => say(bo, 'acts', { text: 'three' })],
    ['a quote', () => say(ana, 'acts', { text: 'four', quoted_message_id: second.id })],
    ['a reply', () => say(bo, 'acts', { text: 'in the thread', parent_id: first.id })],
    [
      'a reaction',
      () =>
        ana.call('POST /messages/{id}/reaction', {
          path: { id: second.id },
          body: { reaction: { type: 'love' } },
        }),
    ],
    [
      'a second reaction',
      () =>
        bo.call('POST /messages/{id}/reaction', {
          path: { id: second.id },
          body: { reaction: { type: 'wow' } },
        }),
    ],
    ['a reminder', () => bo.call('POST /messages/{id}/reminders', { path: { id: first.id }, body: {} })],
    [
      'an edit',
      () =>
        bo.call('PUT /messages/{id}', {
          path: { id: second.id },
          body: { message: { text: 'two, edited' } },
        }),
    ],
    ['a new name', () => chat.admin.users.upsert([{ id: 'bo', name: 'Bo the Second' }])],
    [
      'a pin with an end',
      () =>
        chat.admin.http.call('PATCH /messages/{id}', {
          path: { id: first.id },
          actor: 'ana',
          body: { set: { pinned: true, pin_expires: new Date(clock.now() + 60_000).toISOString() } },
        }),
    ],
    [
      'the end of a pin, which a job publishes a moment later',
      async () => {
        const stored = async () =>
          ((await ana.call('GET /messages/{id}', { path: { id: first.id } })).message as Message).updated_at;
        const before = await stored();
        clock.advance(61_000);
        // The job sleeps by this clock, and only once it has looked.
        const later = () => {
          clock.advance(1000);
          return stored();
        };
        await expect.poll(later, { timeout: 20_000 }).not.toBe(before);
      },
    ],
    [
      'a taken reaction',
      () => ana.call('DELETE /messages/{id}/reaction/{type}', { path: { id: second.id, type: 'love' } }),
    ],
    ['a soft delete', () => bo.call('DELETE /messages/{id}', { path: { id: second.id } })],
    [
      'a cleared history',
      () =>
        bo.call('POST /channels/{type}/{id}/hide', { path: pathOf('acts'), body: { clear_history: true } }),
    ],
    ['a message after it', () => say(ana, 'acts', { text: 'five' })],
    [
      'a truncation',
      () => ana.call('POST /channels/{type}/{id}/truncate', { path: pathOf('acts'), body: {} }),
    ],
    ['a message after that', () => say(bo, 'acts', { text: 'six' })],
  ];
  await expectTrue('acts');
  for (const [name, act] of acts) {
    await act();
    await expectTrue('acts').catch((error: Error) => {
      error.message = `after ${name}: ${error.message}`;
      throw error;
    });
  }
});

test('M4 votes show in the newest page at once', async () => {
  await make('votes');
  const { poll } = (await ana.call('POST /polls', {
    body: { name: 'Where?', options: [{ text: 'here' }] },
  })) as {
    poll: { id: string; options: { id: string }[] };
  };
  const message = await say(ana, 'votes', { text: '', poll_id: poll.id });
  await query(bo, 'votes', { limit: 30 });

  await bo.call(
    'POST /messages/{id}/polls/{poll_id}/vote' as never,
    {
      path: { id: message.id, poll_id: poll.id },
      body: { vote: { option_id: poll.options[0]?.id } },
    } as never,
  );

  expect((await query(bo, 'votes', { limit: 30 })).at(-1)?.poll?.vote_count).toBe(1);
  await expectTrue('votes');
});

test('M4 a channel made anew under its old id has nothing of the old one', async () => {
  await make('again');
  await say(ana, 'again', { text: 'of the old one' });
  await query(bo, 'again', { limit: 30 });
  await chat.admin.http.call('DELETE /channels/{type}/{id}', {
    path: pathOf('again'),
    query: { hard_delete: 'true' },
  });
  clock.advance(1000);
  await make('again');
  await say(ana, 'again', { text: 'of the new one' });

  expect((await query(bo, 'again', { limit: 30 })).map(({ text }) => text)).toEqual(['of the new one']);
});

test('M4 a removed member is refused although the page is cached', async () => {
  await make('left');
  await say(ana, 'left', { text: 'for members' });
  await query(bo, 'left', { limit: 30 });

  await chat.admin.http.call('POST /channels/{type}/{id}', {
    path: pathOf('left'),
    body: { remove_members: ['bo'] },
  });

  const error = await bo.refused('POST /channels/{type}/{id}/query', { path: pathOf('left'), body: {} });
  expect(error.name).toBe('NotAllowed');
});
