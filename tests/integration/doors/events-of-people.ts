import type { EventType } from '@parley/protocol';
import {
  type Cause,
  call,
  change,
  inRoom,
  member,
  own,
  planned,
  reminded,
  sent,
  soon,
  unseen,
  voted,
} from './cause.ts';
import { inAnHour } from './scene.ts';

/** How each event that goes to people comes about, or why it is not asked. */
export const personCauses = {
  'notification.added_to_channel': {
    what: 'stranger is added',
    awaited: 'stranger',
    act: (scene) => change(scene, { add_members: ['stranger'] }),
  },
  'notification.channel_unwatched': {
    what: 'member, who watches, is removed',
    awaited: 'member',
    act: (scene) => change(scene, { remove_members: ['member'] }),
  },
  'notification.removed_from_channel': {
    what: 'member is removed',
    awaited: 'member',
    act: (scene) => change(scene, { remove_members: ['member'] }),
  },
  'notification.invited': {
    what: 'stranger is invited',
    awaited: 'stranger',
    act: (scene) => change(scene, { invites: ['stranger'] }),
  },
  'notification.invite_accepted': {
    what: 'stranger accepts',
    awaited: 'stranger',
    act: async (scene) => {
      await change(scene, { invites: ['stranger'] });
      await call(scene, 'stranger', 'POST /channels/{type}/{id}', inRoom(scene, { accept_invite: true }));
    },
  },
  'notification.invite_rejected': {
    what: 'stranger rejects',
    awaited: 'stranger',
    act: async (scene) => {
      await change(scene, { invites: ['stranger'] });
      await call(scene, 'stranger', 'POST /channels/{type}/{id}', inRoom(scene, { reject_invite: true }));
    },
  },
  'notification.channel_deleted': unseen('', (scene) =>
    scene.world.server('DELETE', '/channels/{type}/{id}', { path: scene.path }),
  ),
  'notification.channel_truncated': unseen('', (scene) =>
    scene.world.server('POST', '/channels/{type}/{id}/truncate', inRoom(scene, {})),
  ),
  'channel.hidden': member('hides it', 'POST /channels/{type}/{id}/hide', (scene) => inRoom(scene, {})),
  'channel.visible': own('shows it again', async (scene) => {
    await call(scene, 'member', 'POST /channels/{type}/{id}/hide', inRoom(scene, {}));
    await call(scene, 'member', 'POST /channels/{type}/{id}/show', inRoom(scene, {}));
  }),
  'notification.channel_mutes_updated': member(
    'mutes it',
    'POST /moderation/mute/channel',
    ({ room: { cid } }) => ({ body: { channel_cids: [cid] } }),
  ),
  'notification.message_new': unseen('', (scene) => sent(scene)),
  'notification.ephemeral_message': own('is whispered to', (scene) =>
    scene.world.sendAs(scene.room, 'member', { type: 'ephemeral' }),
  ),
  'notification.pending_message': member(
    'sends a pending one',
    'POST /channels/{type}/{id}/message',
    (scene) => inRoom(scene, { message: { text: 'x' }, pending: true }),
  ),
  'notification.pending_message_deleted': own('drops a pending one', async (scene) => {
    const body = await call(
      scene,
      'member',
      'POST /channels/{type}/{id}/message',
      inRoom(scene, { message: { text: 'x' }, pending: true }),
    );
    await call(scene, 'member', 'DELETE /messages/{id}', {
      path: { id: (body as { message: { id: string } }).message.id },
    });
  }),
  'notification.poll_own_votes': own('votes', async (scene) => {
    const { option, path } = await voted(scene);
    await call(scene, 'member', 'POST /messages/{id}/polls/{poll_id}/vote', {
      path,
      body: { vote: { option_id: option } },
    });
  }),
  'notification.live_locations_updated': own('shares a place', (scene) =>
    call(
      scene,
      'member',
      'POST /channels/{type}/{id}/message',
      inRoom(scene, {
        message: {
          shared_location: { latitude: 1, longitude: 2, end_at: inAnHour(), created_by_device_id: 'phone' },
        },
      }),
    ),
  ),
  'notification.mark_read': own('reads', async (scene) => {
    await sent(scene);
    await call(scene, 'member', 'POST /channels/{type}/{id}/read', inRoom(scene, {}));
  }),
  'notification.mark_unread': own('marks unread', async (scene) =>
    call(
      scene,
      'member',
      'POST /channels/{type}/{id}/unread',
      inRoom(scene, { message_id: await sent(scene) }),
    ),
  ),
  'notification.thread_message_new': own('is answered', async (scene) => {
    const { id } = await scene.world.sendAs(scene.room, 'member');
    await sent(scene, { parent_id: id });
  }),
  'draft.updated': member('drafts', 'POST /channels/{type}/{id}/draft', (scene) =>
    inRoom(scene, { message: { text: 'half' } }),
  ),
  'draft.deleted': own('drops a draft', async (scene) => {
    await call(
      scene,
      'member',
      'POST /channels/{type}/{id}/draft',
      inRoom(scene, { message: { text: 'half' } }),
    );
    await call(scene, 'member', 'DELETE /channels/{type}/{id}/draft', { path: scene.path });
  }),
  'reminder.created': own('sets a reminder', (scene) => reminded(scene, inAnHour())),
  'reminder.updated': own('changes a reminder', async (scene) =>
    call(scene, 'member', 'PATCH /messages/{id}/reminders', {
      path: { id: await reminded(scene, inAnHour()) },
      body: { note: 'new' },
    }),
  ),
  'reminder.deleted': own('drops a reminder', async (scene) =>
    call(scene, 'member', 'DELETE /messages/{id}/reminders', {
      path: { id: await reminded(scene, inAnHour()) },
    }),
  ),
  'notification.reminder_due': own('is reminded', (scene) => reminded(scene, soon())),
  'scheduled_message.created': own('schedules one', (scene) => planned(scene, inAnHour())),
  'scheduled_message.updated': own('changes a scheduled one', async (scene) =>
    call(scene, 'member', 'PATCH /scheduled_messages/{id}', {
      path: { id: await planned(scene, inAnHour()) },
      body: { text: 'new' },
    }),
  ),
  'scheduled_message.deleted': own('drops a scheduled one', async (scene) =>
    call(scene, 'member', 'DELETE /scheduled_messages/{id}', {
      path: { id: await planned(scene, inAnHour()) },
    }),
  ),
  'notification.scheduled_message_failed': own('scheduled one into a room that froze', async (scene) => {
    await planned(scene, soon());
    await scene.world.server('PATCH', '/channels/{type}/{id}', inRoom(scene, { set: { frozen: true } }));
  }),
} satisfies Partial<Record<EventType, Cause | string>>;
