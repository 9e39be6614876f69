import type { Capability, Channel, Member, Message, ParleyError, ReadState, User } from '@parley/protocol';

export type VisibleMessage = Message & { status: 'sent' | 'sending' | 'failed'; error?: ParleyError };

/** Unread counts are derived from numbers, so the count that a reply carries is not kept. */
export type ChannelRead = Omit<ReadState, 'unread_messages'>;

/** A window into a list that the server orders, oldest first. */
export type Timeline = {
  messages: readonly VisibleMessage[];
  /** How many at the end came by a reply whose event has not arrived: events in order go before them. */
  unsequenced: number;
  hasOlder: boolean;
  hasNewer: boolean;
};

export type LoadedThread = Timeline & { isLoading: boolean };
export type ThreadTyper = { user: User; parentId: string };

/** What the server has said of a channel. Only reducers and snapshots make one. */
export type ConfirmedChannel = Timeline & {
  cid: string;
  ownId: string;
  channel: Channel;
  members: readonly Member[];
  membership: Member | undefined;
  read: Readonly<Record<string, ChannelRead>>;
  /** The number of the last message that counts as unread. */
  lastNumber: number;
  pinned: readonly VisibleMessage[];
  typing: readonly User[];
  threadTyping: readonly ThreadTyper[];
  /** Threads that are open, by the id of their parent. */
  threads: Readonly<Record<string, LoadedThread>>;
  watcherCount: number;
  watchers: readonly User[];
  capabilities: ReadonlySet<Capability>;
  isLoadingOlder: boolean;
  isLoadingNewer: boolean;
};

/** What people see: the confirmed state under the operations that are still on their way. */
export type ChannelState = ConfirmedChannel & {
  seq: number;
  /** Derived: the channel's last number less the own read number. */
  unread: number;
  /** Not kept live at the moment; it is queried anew when opened. */
  isStale: boolean;
};

/** Names a message; every message is one. */
export type MessageRef = { cid: string; id: string };
