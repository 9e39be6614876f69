import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { Cid, closed, Id, Time } from '../schema.ts';

/** One of the channels that a user has muted; without `expires` until they unmute it. */
export const ChannelMuteSchema = Type.Object({
  channel_cid: Cid,
  created_at: Time,
  expires: Type.Optional(Time),
});
export type ChannelMute = Static<typeof ChannelMuteSchema>;

const cids = Type.Array(Cid, { minItems: 1, maxItems: limits.cidsPerCall });
/** Of the membership, as `membership.own_version` says it. */
const OwnVersion = Type.Integer();
const ownReply = Type.Object({ own_version: OwnVersion });
const mutesReply = Type.Object({ channel_mutes: Type.Array(ChannelMuteSchema) });

export const channelPreferencesCalls = {
  'POST /channels/{type}/{id}/hide': call({
    side: 'CS',
    limit: 'write',
    summary:
      "Hide a channel from one's lists until the next message; `clear_history` also drops what was said",
    body: closed({ clear_history: Type.Optional(Type.Boolean()) }),
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
      channel_cids: cids,
      expiration: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.muteMaxMs })),
    }),
    reply: mutesReply,
  }),
  'POST /moderation/unmute/channel': call({
    side: 'CS',
    limit: 'write',
    summary: 'Unmute channels',
    body: closed({ channel_cids: cids }),
    reply: mutesReply,
  }),
};

/** All of them go to the user's own connections alone. */
export const channelPreferencesEvents = {
  /** `cleared_at` and `last_number` where the history was cleared: what is older is gone, and nothing is unread. */
  'channel.hidden': Type.Object({
    clear_history: Type.Boolean(),
    cleared_at: Type.Optional(Time),
    last_number: Type.Integer(),
    /** The own mark, where the history was cleared: what moved it before may be heard of later. */
    mark: Type.Optional(
      Type.Object({
        version: Type.Integer(),
        last_read: Type.Optional(Time),
        last_read_message_id: Type.Optional(Id),
      }),
    ),
    own_version: OwnVersion,
  }),
  'channel.visible': Type.Object({ own_version: OwnVersion }),
  'notification.channel_mutes_updated': Type.Object({
    channel_mutes: Type.Array(ChannelMuteSchema),
    total_unread_count: Type.Optional(Type.Integer()),
    unread_channels: Type.Optional(Type.Integer()),
    unread_threads: Type.Optional(Type.Integer()),
  }),
};
