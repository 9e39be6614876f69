import type { EventType } from '@parley/protocol';
import { type Cause, call, change, inRoom, move, react, room, sent, shared, voted } from './cause.ts';
import { poll } from './scene.ts';
import { fresh } from './world.ts';

/** How each event of a room comes about, or why it is not asked. */
export const roomCauses = {
  'health.check': 'answers one connection',
  'connection.draining': 'goes to every connection of a server that ends',
  'connection.error': 'answers one connection',
  'user.updated': room('another member changes their name', (scene) =>
    call(scene, 'other', 'POST /users', { body: { users: { other: { id: 'other', name: fresh('name') } } } }),
  ),
  'user.deleted': 'no call deletes a person yet',
  'channel.updated': room('', (scene) =>
    scene.world.server('PATCH', '/channels/{type}/{id}', inRoom(scene, { set: { name: 'new' } })),
  ),
  'channel.deleted': room('', (scene) =>
    scene.world.server('DELETE', '/channels/{type}/{id}', { path: scene.path }),
  ),
  'channel.truncated': room('', (scene) =>
    scene.world.server('POST', '/channels/{type}/{id}/truncate', inRoom(scene, {})),
  ),
  'member.added': room('', (scene) => change(scene, { add_members: ['target'] })),
  'member.updated': room('', (scene) => change(scene, { add_moderators: ['other'] })),
  'member.removed': room('', (scene) => change(scene, { remove_members: ['other'] })),
  'message.new': room('', (scene) => sent(scene)),
  'message.updated': room('', async (scene) =>
    call(scene, 'other', 'PUT /messages/{id}', {
      path: { id: await sent(scene) },
      body: { message: { text: 'edited' } },
    }),
  ),
  'message.deleted': room('', async (scene) =>
    call(scene, 'other', 'DELETE /messages/{id}', { path: { id: await sent(scene) } }),
  ),
  'message.undeleted': room('', async (scene) => {
    const path = { id: await sent(scene) };
    await call(scene, 'other', 'DELETE /messages/{id}', { path });
    await call(scene, 'other', 'POST /messages/{id}/undelete', { path });
  }),
  'reaction.new': room('', async (scene) => react(scene, await sent(scene), 1)),
  'reaction.updated': room('', async (scene) => {
    const id = await sent(scene);
    await react(scene, id, 1);
    await react(scene, id, 2);
  }),
  'reaction.deleted': room('', async (scene) => {
    const id = await sent(scene);
    await react(scene, id, 1);
    await call(scene, 'other', 'DELETE /messages/{id}/reaction/{type}', { path: { id, type: 'like' } });
  }),
  'poll.updated': room('', async (scene) =>
    call(scene, 'other', 'PATCH /polls/{id}', {
      path: { id: (await poll(scene)).id },
      body: { set: { name: 'new' } },
    }),
  ),
  'poll.closed': room('', async (scene) =>
    call(scene, 'other', 'PATCH /polls/{id}', {
      path: { id: (await poll(scene)).id },
      body: { set: { is_closed: true } },
    }),
  ),
  'poll.deleted': room('', async (scene) =>
    call(scene, 'other', 'DELETE /polls/{id}', { path: { id: (await poll(scene)).id } }),
  ),
  'poll.vote_casted': room('', async (scene) => {
    const { option, cast } = await voted(scene);
    await cast(option);
  }),
  'poll.vote_changed': room('', async (scene, received) => {
    const { option, otherOption, cast } = await voted(scene);
    await cast(option);
    await received('poll.vote_casted');
    await cast(otherOption);
  }),
  'poll.vote_removed': room('', async (scene, received) => {
    const { option, cast, path } = await voted(scene);
    const body = await cast(option);
    await received('poll.vote_casted');
    const vote_id = (body as { vote: { id: string } }).vote.id;
    await call(scene, 'other', 'DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', {
      path: { ...path, vote_id },
    });
  }),
  'live_location_sharing.started': room('', (scene) => shared(scene)),
  'live_location_sharing.updated': room('', async (scene) =>
    move(scene, await shared(scene), { latitude: 3, longitude: 4 }),
  ),
  'live_location_sharing.stopped': room('', async (scene) =>
    move(scene, await shared(scene), { end_at: new Date().toISOString() }),
  ),
  'message.read': room('', async (scene) => {
    await scene.world.sendAs(scene.room, 'owner');
    await call(scene, 'other', 'POST /channels/{type}/{id}/read', inRoom(scene, {}));
  }),
  'message.delivered': room('', async (scene) => {
    const { id } = await scene.world.sendAs(scene.room, 'owner');
    await call(scene, 'other', 'POST /channels/delivered', {
      body: { latest_delivered_messages: [{ cid: scene.room.cid, id }] },
    });
  }),
  'channel.read_counts': 'only in channels of more than a hundred members: large-channels.test.ts',
  'thread.updated': room('', async (scene) => {
    const id = await sent(scene);
    await sent(scene, { parent_id: id });
    await call(scene, 'other', 'PATCH /threads/{message_id}', {
      path: { message_id: id },
      body: { set: { title: 'new' } },
    });
  }),
  'typing.start': room('', (scene) =>
    call(
      scene,
      'other',
      'POST /channels/{type}/{id}/event',
      inRoom(scene, { event: { type: 'typing.start' } }),
    ),
  ),
  'typing.stop': room('', (scene) =>
    call(
      scene,
      'other',
      'POST /channels/{type}/{id}/event',
      inRoom(scene, { event: { type: 'typing.stop' } }),
    ),
  ),
  'user.presence.changed': 'depends on who asked for whom: presence.test.ts',
  'user.watching.start': 'said while the listeners of this table connect: presence.test.ts',
  'user.watching.stop': 'said while the listeners of this table leave: presence.test.ts',
} satisfies Partial<Record<EventType, Cause | string>>;
