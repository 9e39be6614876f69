import type { ChannelStateReply, Message, ReadState } from '@parley/protocol';
import { internMember, internMessage } from './intern.ts';
import type { ChannelRead, ConfirmedChannel, VisibleMessage } from './state.ts';
import type { UserCache } from './user-cache.ts';

export type SnapshotContext = { ownId: string; users: UserCache };

export const internReply = (
  messages: readonly Message[],
  cid: string,
  users: UserCache,
): readonly VisibleMessage[] =>
  messages.map((message) => {
    message.own_reactions ??= [];
    return internMessage(message, users, cid);
  });

const toRead = (reply: ReadState, users: UserCache): ChannelRead => {
  const { unread_messages: _, ...read } = reply;
  return { ...read, user: users.intern(reply.user) };
};

/** `requested` messages were asked for: fewer mean that the list begins here. */
export const fromSnapshot = (
  reply: ChannelStateReply,
  { ownId, users }: SnapshotContext,
  requested: number,
): ConfirmedChannel => {
  const { cid } = reply.channel;
  const { created_by } = reply.channel;
  if (created_by) reply.channel.created_by = users.intern(created_by);
  return {
    cid,
    ownId,
    channel: reply.channel,
    members: reply.members.map((member) => internMember(member, users)),
    membership: reply.membership && internMember(reply.membership, users),
    marks: reply.read.map((read) => toRead(read, users)),
    messages: internReply(reply.messages, cid, users),
    unsequenced: 0,
    hasOlder: reply.messages.length >= requested,
    hasNewer: false,
    lastNumber: reply.last_number,
    readCounts: reply.read_counts,
    pinned: internReply(reply.pinned_messages, cid, users),
    typing: [],
    threadTyping: [],
    threads: {},
    watcherCount: reply.watcher_count,
    watchers: (reply.watchers ?? []).map(users.intern),
    capabilities: new Set(reply.channel.own_capabilities),
    isLoadingOlder: false,
    isLoadingNewer: false,
  };
};
