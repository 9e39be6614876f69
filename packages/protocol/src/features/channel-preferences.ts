import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, Time } from '../schema.ts';

const channelMute = Type.Object({
  channel_cid: doc('The muted channel.', Cid),
  created_at: doc('When the channel was muted.', Time),
  expires: optional(
    'When the mute ends; absent for one that lasts until the user unmutes the channel.',
    Time,
  ),
});
/** One of the channels that a user has muted. */
export interface ChannelMute extends Static<typeof channelMute> {}
export const ChannelMuteSchema = record<ChannelMute>('ChannelMute', channelMute);

const cids = Type.Array(Cid, { minItems: 1, maxItems: limits.cidsPerCall });
const own = {
  own_version: doc('The version of the membership, as in `membership.own_version`.', Type.Integer()),
};
const ownReply = Type.Object(own);
const mutesReply = Type.Object({
  channel_mutes: doc('All channels that the user has muted.', Type.Array(ChannelMuteSchema)),
});

export const channelPreferencesCalls = {
  'POST /channels/{type}/{id}/hide': call({
    side: 'CS',
    limit: 'write',
    summary:
      "Hide a channel from one's lists until the next message; `clear_history` also drops what was said",
    body: closed({
      clear_history: optional(
        'Whether to clear the history of the channel for the user, too.',
        Type.Boolean(),
      ),
    }),
    reply: ownReply,
  }),
  'POST /channels/{type}/{id}/show': call({
    side: 'CS',
    limit: 'write',
    summary: 'Show a hidden channel again',
    body: closed({}),
    reply: ownReply,
  }),
  'POST /moderation/mute/channel': call({
    side: 'CS',
    limit: 'write',
    summary: 'Mute channels for oneself: they count in no total; `expiration` in milliseconds',
    body: closed({
      channel_cids: doc('The channels to mute.', cids),
      expiration: optional(
        'After how many milliseconds the mute ends; left out for no end.',
        Type.Integer({ minimum: 1, maximum: limits.muteMaxMs }),
      ),
    }),
    reply: mutesReply,
  }),
  'POST /moderation/unmute/channel': call({
    side: 'CS',
    limit: 'write',
    summary: 'Unmute channels',
    body: closed({ channel_cids: doc('The channels to unmute.', cids) }),
    reply: mutesReply,
  }),
};

/** All of them go to the user's own connections alone. */
export const channelPreferencesEvents = {
  'channel.hidden': Type.Object({
    clear_history: doc('Whether the history was cleared for the user, too.', Type.Boolean()),
    cleared_at: optional('The time up to which the history was cleared.', Time),
    last_number: doc('The last number of the channel at that moment.', Type.Integer()),
    mark: optional(
      'The read mark of the user where the history was cleared; it replaces older marks.',
      Type.Object({
        version: doc('The version of the mark; it grows with every change.', Type.Integer()),
        last_read: optional('When the user last read the channel.', Time),
        last_read_message_id: optional('The last message that the user has read.', Id),
      }),
    ),
    ...own,
  }),
  'channel.visible': Type.Object(own),
  'notification.channel_mutes_updated': Type.Object({
    channel_mutes: doc('All channels that the user has muted now.', Type.Array(ChannelMuteSchema)),
    total_unread_count: optional(
      'The number of unread messages in all channels of the user.',
      Type.Integer(),
    ),
    unread_channels: optional('The number of channels with unread messages.', Type.Integer()),
    unread_threads: optional('The number of followed threads with unread replies.', Type.Integer()),
  }),
};
