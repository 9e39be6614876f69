import type { Channel, ChannelStateReply, Member, Message, OwnUser, ReadState, User } from '@parley/protocol';

export const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1) + seconds * 1000).toISOString();

export const aUser = (id: string): User => ({
  id,
  name: id,
  role: 'user',
  created_at: at(0),
  updated_at: at(0),
});

export const anOwnUser = (id: string): OwnUser => ({
  ...aUser(id),
  unread_count: 0,
  unread_channels: 0,
  unread_threads: 0,
  mutes: [],
  channel_mutes: [],
  blocked_user_ids: [],
  devices: [],
  privacy_settings: {},
});

export const aMember = (id: string): Member => ({
  user_id: id,
  user: aUser(id),
  channel_role: 'channel_member',
  created_at: at(0),
  updated_at: at(0),
});

export const aRead = (id: string, number = 0): ReadState => ({
  user: aUser(id),
  last_read_number: number,
  unread_messages: 0,
});

export const aMessage = (id: string, said: Partial<Message> = {}): Message => ({
  id,
  cid: 'messaging:general',
  user: aUser('bea'),
  text: id,
  type: 'regular',
  attachments: [],
  mentioned_users: [],
  reply_count: 0,
  reaction_counts: {},
  reaction_scores: {},
  reaction_groups: {},
  latest_reactions: [],
  pinned: false,
  silent: false,
  number: 1,
  created_at: at(1),
  updated_at: at(1),
  ...said,
});

export const aChannel = (cid: string, said: Partial<Channel> = {}): Channel => {
  const [type = '', id = ''] = cid.split(':');
  return {
    id,
    type,
    cid,
    created_at: at(0),
    updated_at: at(0),
    member_count: 2,
    frozen: false,
    cooldown: 0,
    disabled: false,
    own_capabilities: [
      'send-message',
      'send-reply',
      'send-reaction',
      'quote-message',
      'typing-events',
      'read-events',
    ],
    ...said,
  };
};

export const aSnapshot = (cid: string, said: Partial<ChannelStateReply> = {}): ChannelStateReply => ({
  channel: aChannel(cid),
  members: [aMember('ann'), aMember('bea')],
  messages: [],
  read: [aRead('ann'), aRead('bea')],
  watcher_count: 1,
  pinned_messages: [],
  membership: aMember('ann'),
  seq: 0,
  last_number: 0,
  ...said,
});
