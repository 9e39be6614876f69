import type { Channel, ChannelState, Member, User, VisibleMessage } from '@parley/client';

const time = '2026-03-01T10:00:00.000Z';
const times = { created_at: time, updated_at: time };

export const aUser = (id: string, name = id): User => ({ id, name, role: 'user', ...times });

export const aMember = (id: string, more: Partial<Member> = {}): Member => ({
  ...{ user_id: id, user: aUser(id), channel_role: 'channel_member', ...times },
  ...more,
});

export const aMessage = (more: Partial<VisibleMessage> = {}): VisibleMessage => ({
  ...{ id: 'm', cid: 'messaging:general', number: 1, text: '', type: 'regular', status: 'sent' },
  ...{ user: aUser('bo', 'Bo'), attachments: [], mentioned_users: [], reply_count: 0 },
  ...{ reaction_counts: {}, reaction_scores: {}, reaction_groups: {}, latest_reactions: [] },
  ...{ pinned: false, silent: false, ...times },
  ...more,
});

export const aChannel = (more: Partial<Channel> = {}): Channel => ({
  ...{ id: 'general', type: 'messaging', cid: 'messaging:general', member_count: 2 },
  ...{ frozen: false, disabled: false, cooldown: 0, own_capabilities: [], ...times },
  ...more,
});

export const aState = (more: Partial<ChannelState> = {}): ChannelState => ({
  ...{ cid: 'messaging:general', ownId: 'me', channel: aChannel(), members: [], membership: undefined },
  ...{ messages: [], unsequenced: 0, hasOlder: false, hasNewer: false, pinned: [], threads: {} },
  ...{ marks: [], read: {}, readCounts: undefined, lastNumber: 0, unread: 0, seq: 0, isStale: false },
  ...{ typing: [], threadTyping: [], watcherCount: 0, watchers: [], capabilities: new Set() },
  ...{ isLoadingOlder: false, isLoadingNewer: false },
  ...more,
});
