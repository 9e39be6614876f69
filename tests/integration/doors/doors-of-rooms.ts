import type { CallKey } from '@parley/protocol';
import { both, type Door, inRoom, one, secret } from './door.ts';
import { formOf, message, poll, thread } from './scene.ts';
import { fresh } from './world.ts';

const change = (what: string, body: (mine: string) => unknown, own = false): Door => ({
  what,
  own,
  spoils: true,
  ask: ({ path, mine }) => ({ path, body: body(mine) }),
});

/** Calls about rooms, their members and the actor's marks in them. */
export const roomDoors = {
  'POST /sync': one(({ room }) => ({ body: { cursors: { [room.cid]: 0 } } }), { shows: secret }),
  'POST /channels': one(({ room }) => ({ body: { filter: { cid: room.cid } } }), { shows: secret }),
  'POST /channels/{type}/query': [
    {
      what: 'a pair with oneself in it',
      own: true,
      ask: ({ mine }) => ({ path: { type: 'messaging' }, body: { data: { members: [mine, 'target'] } } }),
    },
    {
      what: 'a pair of others',
      ask: () => ({ path: { type: 'messaging' }, body: { data: { members: ['other', 'target'] } } }),
    },
  ],
  'POST /channels/{type}/{id}/query': [
    { what: 'one that is there', ask: ({ path }) => ({ path, body: {} }), shows: secret },
    { what: 'a new one', ask: () => ({ path: { type: 'team', id: fresh('new') }, body: {} }) },
    {
      what: 'a new one, with a role for oneself',
      own: true,
      ask: ({ mine }) => ({
        path: { type: 'team', id: fresh('new') },
        body: { data: { members: [{ user_id: mine, channel_role: 'channel_moderator' }] } },
      }),
    },
    {
      what: 'a new one, by an id that is reserved',
      ask: () => ({ path: { type: 'messaging', id: fresh('!members') }, body: {} }),
    },
  ],
  'POST /channels/{type}/{id}': [
    change('name it', () => ({ data: { name: 'new' } })),
    change('add somebody', () => ({ add_members: ['target'] })),
    change('join', (mine) => ({ add_members: [mine] }), true),
    change('leave', (mine) => ({ remove_members: [mine] }), true),
    change('remove a member', () => ({ remove_members: ['other'] })),
    change('remove a moderator', () => ({ remove_members: ['moderator'] })),
    change('remove the owner', () => ({ remove_members: ['owner'] })),
    change('make oneself moderator', (mine) => ({ add_moderators: [mine] }), true),
    change('make another moderator', () => ({ add_moderators: ['other'] })),
    change('demote a moderator', () => ({ demote_moderators: ['moderator'] })),
    change('invite somebody', () => ({ invites: ['target'] })),
    change('accept without an invitation', () => ({ accept_invite: true })),
    change('add to a pair', () => ({ add_members: ['target'] })),
  ],
  'PATCH /channels/{type}/{id}': [
    change('name it', () => ({ set: { name: 'new' } })),
    change('freeze it', () => ({ set: { frozen: true } })),
    change('slow it down', () => ({ set: { cooldown: 5 } })),
    change('take it over', (mine) => ({ set: { created_by: mine } }), true),
  ],
  'DELETE /channels/{type}/{id}': [
    { what: 'softly', spoils: true, ask: ({ path }) => ({ path }) },
    { what: 'for good', spoils: true, ask: ({ path }) => ({ path, query: { hard_delete: 'true' } }) },
  ],
  'POST /channels/delete': one(({ room }) => ({ body: { cids: [room.cid] } }), { spoils: true }),
  'POST /channels/{type}/{id}/truncate': inRoom({}, { spoils: true }),
  'POST /channels/{type}/{id}/stop-watching': inRoom(),
  'POST /channels/{type}/{id}/hide': inRoom(),
  'POST /channels/{type}/{id}/show': inRoom(),
  'POST /moderation/mute/channel': one(({ room }) => ({ body: { channel_cids: [room.cid] } })),
  'POST /moderation/unmute/channel': one(({ room }) => ({ body: { channel_cids: [room.cid] } })),
  'POST /members/query': one(({ path }) => ({ body: { ...path } }), { shows: () => '"moderator"' }),
  'PATCH /channels/{type}/{id}/member': [
    change('pin it for oneself', () => ({ set: { pinned: true } }), true),
    change('own data', () => ({ set: { mood: 'good' } }), true),
    change('own role', () => ({ set: { channel_role: 'channel_moderator' } }), true),
    change("a member's role", () => ({
      target_user_id: 'other',
      set: { channel_role: 'channel_moderator' },
    })),
    change("the owner's role", () => ({ target_user_id: 'owner', set: { channel_role: 'channel_member' } })),
    change("another's data", () => ({ target_user_id: 'other', set: { mood: 'bad' } })),
  ],
  'POST /channels/{type}/{id}/read': inRoom(),
  'POST /channels/{type}/{id}/unread': one(async (scene) => ({
    path: scene.path,
    body: { message_id: await message(scene) },
  })),
  'POST /channels/read': one(({ room }) => ({ body: { cids: [room.cid] } }), {
    shows: ({ room }) => room.cid,
  }),
  'POST /channels/delivered': one(async (scene) => ({
    body: { latest_delivered_messages: [{ cid: scene.room.cid, id: await message(scene) }] },
  })),
  'GET /channels/{type}/{id}/unread/explain': inRoom(),
  'GET /unread': one(() => ({}), { shows: ({ room }) => room.cid }),
  'POST /channels/{type}/{id}/event': [
    { what: 'typing', ask: ({ path }) => ({ path, body: { event: { type: 'typing.start' } } }) },
    { what: 'custom', ask: ({ path }) => ({ path, body: { event: { type: 'wave' } } }) },
    {
      what: 'an event of the server',
      ask: ({ path }) => ({ path, body: { event: { type: 'message.new' } } }),
    },
  ],
  'POST /threads': one(
    async (scene) => {
      await thread(scene);
      return { body: {} };
    },
    { own: true, shows: ({ room }) => room.cid },
  ),
  'GET /threads/{message_id}': one(async (scene) => ({ path: { message_id: await thread(scene) } }), {
    shows: secret,
  }),
  'PATCH /threads/{message_id}': both(async (scene) => ({
    path: { message_id: await thread(scene) },
    body: { set: { title: 'new' } },
  })),
  'POST /search': one(({ room }) => ({ body: { query: room.secret } }), { shows: secret }),
  'POST /polls/query': one(
    async (scene) => {
      await poll(scene);
      return { body: {} };
    },
    { shows: secret },
  ),
  'POST /channels/{type}/{id}/file': one(({ path }) => ({ path, form: formOf('file') })),
  'POST /channels/{type}/{id}/image': one(({ path }) => ({ path, form: formOf('image') })),
} satisfies Partial<Record<CallKey, Door[]>>;
