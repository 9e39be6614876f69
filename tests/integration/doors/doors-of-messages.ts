import type { CallKey } from '@parley/protocol';
import { both, bothOf, type Door, one, secret } from './door.ts';
import {
  deletedMessage,
  draft,
  file,
  inAnHour,
  location,
  message,
  pendingMessage,
  poll,
  reaction,
  reminder,
  type Scene,
  scheduled,
  thread,
  vote,
} from './scene.ts';
import { fresh } from './world.ts';

const send = (what: string, body: (scene: Scene) => unknown | Promise<unknown>, own = false): Door => ({
  what,
  own,
  ask: async (scene) => ({ path: scene.path, body: await body(scene) }),
});

const byId = (make: (scene: Scene) => Promise<string>, body?: unknown, query?: Record<string, string>) =>
  both(async (scene) => ({ path: { id: await make(scene) }, body, ...(query ? { query } : {}) }));

const onPoll = (body: (option: string) => unknown = () => ({})) =>
  both(async (scene) => {
    const { id, option } = await poll(scene);
    return { path: { id, option_id: option }, body: body(option) };
  });

const fileByUrl = (kind: 'file' | 'image') =>
  both(async (scene) => ({ path: scene.path, query: { url: await file(scene, kind) } }));

/** Calls about messages and what hangs on them. */
export const messageDoors = {
  'POST /channels/{type}/{id}/message': [
    send('in the room', () => ({ message: { text: 'hello' } })),
    send('a reply', async (scene) => ({ message: { text: 'hello', parent_id: await message(scene) } })),
    send('a quote', async (scene) => ({
      message: { text: 'hello', quoted_message_id: await message(scene) },
    })),
    send('as another', () => ({ message: { text: 'hello', user_id: 'other' } })),
    send('a system message', () => ({ message: { text: 'hello', type: 'system' } })),
    send('pending', () => ({ message: { text: 'hello' }, pending: true })),
    send(
      'a poll, own',
      async (scene) => {
        const { id } = await poll(scene);
        await scene.world.server('DELETE', '/polls/{id}', { path: { id } });
        const made = await scene.world.server('POST', '/polls', {
          body: { name: 'again', options: [{ text: fresh('option') }], user_id: scene.whose },
        });
        return { message: { poll_id: (made.body as { poll: { id: string } }).poll.id } };
      },
      true,
    ),
    send('calling everyone', () => ({ message: { text: 'hello @everyone', mentioned_everyone: true } })),
  ],
  'GET /channels/{type}/{id}/messages': one(
    async (scene) => ({
      path: scene.path,
      query: { ids: await message(scene, { text: scene.room.secret }) },
    }),
    { shows: secret },
  ),
  'GET /messages/{id}': byId(message),
  'PUT /messages/{id}': byId(message, { message: { text: 'edited' } }),
  'PATCH /messages/{id}': [
    ...bothOf('text', async (scene) => ({
      path: { id: await message(scene) },
      body: { set: { text: 'edited' } },
    })),
    ...bothOf('pin', async (scene) => ({
      path: { id: await message(scene) },
      body: { set: { pinned: true } },
    })),
  ],
  'DELETE /messages/{id}': [
    ...bothOf('softly', async (scene) => ({ path: { id: await message(scene) } })),
    ...bothOf('for good', async (scene) => ({ path: { id: await message(scene) }, query: { hard: 'true' } })),
  ],
  'POST /messages/{id}/undelete': byId(deletedMessage, {}),
  'POST /messages/{id}/commit': byId(pendingMessage, {}),
  'POST /messages/history': both(
    async (scene) => {
      const id = await message(scene, { text: scene.room.secret });
      await scene.world.server('PUT', '/messages/{id}', {
        path: { id },
        body: { message: { text: 'edited' } },
        query: { user_id: scene.whose },
      });
      return { body: { filter: { message_id: id } } };
    },
    { shows: secret },
  ),
  'GET /messages/{id}/replies': one(async (scene) => ({ path: { id: await thread(scene) } }), {
    shows: secret,
  }),
  'POST /messages/{id}/reaction': byId(message, { reaction: { type: 'like' } }),
  'DELETE /messages/{id}/reaction/{type}': both(async (scene) => ({
    path: { id: await reaction(scene), type: 'like' },
  })),
  'POST /messages/{id}/reactions/query': one(async (scene) => ({
    path: { id: await reaction(scene) },
    body: {},
  })),
  'PUT /polls': both(async (scene) => {
    const { id, option } = await poll(scene);
    return { body: { id, name: 'new', options: [{ id: option, text: option }, { text: fresh('option') }] } };
  }),
  'GET /polls/{id}': onPoll(),
  'PATCH /polls/{id}': onPoll(() => ({ set: { is_closed: true } })),
  'DELETE /polls/{id}': onPoll(),
  'POST /polls/{id}/options': [
    ...onPoll(() => ({ text: fresh('option') })),
    {
      what: "other's, open to suggestions",
      ask: async (scene) => ({
        path: { id: (await poll(scene, { allow_user_suggested_options: true })).id },
        body: { text: fresh('option') },
      }),
    },
  ],
  'PUT /polls/{id}/options': onPoll((option) => ({ id: option, text: fresh('option') })),
  'GET /polls/{id}/options/{option_id}': onPoll(),
  'DELETE /polls/{id}/options/{option_id}': onPoll(),
  'POST /messages/{id}/polls/{poll_id}/vote': both(async (scene) => {
    const { id, option, messageId } = await poll(scene);
    return { path: { id: messageId, poll_id: id }, body: { vote: { option_id: option } } };
  }),
  'DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}': both(async (scene) => {
    const { id, messageId, voteId } = await vote(scene);
    return { path: { id: messageId, poll_id: id, vote_id: voteId } };
  }),
  'POST /polls/{id}/votes': onPoll(),
  'PUT /users/live_locations': both(async (scene) => ({
    body: { message_id: await location(scene), created_by_device_id: 'phone', latitude: 3, longitude: 4 },
  })),
  'GET /messages/{id}/receipts': byId(message),
  'DELETE /uploads/file': fileByUrl('file'),
  'DELETE /uploads/image': fileByUrl('image'),
  'DELETE /channels/{type}/{id}/file': fileByUrl('file'),
  'DELETE /channels/{type}/{id}/image': fileByUrl('image'),
  'POST /uploads/sign': both(async (scene) => ({ body: { urls: [await file(scene, 'file')] } }), {
    shows: () => 'signature',
  }),
  'POST /channels/{type}/{id}/draft': one(({ path }) => ({ path, body: { message: { text: 'half' } } })),
  'GET /channels/{type}/{id}/draft': [
    {
      what: 'own',
      own: true,
      ask: async (scene) => {
        await draft(scene);
        return { path: scene.path };
      },
    },
  ],
  'DELETE /channels/{type}/{id}/draft': [
    {
      what: 'own',
      own: true,
      ask: async (scene) => {
        await draft(scene);
        return { path: scene.path };
      },
    },
  ],
  'POST /drafts/query': both(
    async (scene) => {
      await draft(scene);
      return { body: { filter: { cid: scene.room.cid } } };
    },
    { shows: ({ room }) => room.cid, spoils: true },
  ),
  'POST /messages/{id}/reminders': byId(message, { remind_at: inAnHour() }),
  'PATCH /messages/{id}/reminders': byId(reminder, { note: 'new' }),
  'DELETE /messages/{id}/reminders': byId(reminder),
  'POST /reminders/query': both(
    async (scene) => {
      await reminder(scene);
      return { body: { filter: { cid: scene.room.cid } } };
    },
    { shows: ({ room }) => room.cid, spoils: true },
  ),
  'POST /channels/{type}/{id}/scheduled_messages': one(({ path }) => ({
    path,
    body: { message: { text: 'later' }, send_at: inAnHour() },
  })),
  'POST /scheduled_messages/query': both(
    async (scene) => {
      await scheduled(scene);
      return { body: {} };
    },
    { shows: ({ room }) => room.cid, spoils: true },
  ),
  'PATCH /scheduled_messages/{id}': byId(scheduled, { text: 'new' }),
  'DELETE /scheduled_messages/{id}': byId(scheduled),
} satisfies Partial<Record<CallKey, Door[]>>;
