import type {
  Capability,
  Channel,
  Member,
  Message,
  ParleyError,
  ReadCounts,
  ReadState,
  User,
} from '@parley/protocol';

/** `private`: pending or ephemeral, nobody but the own user sees it. */
export type VisibleMessage = Message & {
  status: 'sent' | 'sending' | 'failed' | 'private';
  error?: ParleyError;
};

/** Unread counts are derived from numbers, so the count that a reply carries is not kept. */
export type ChannelRead = Omit<ReadState, 'unread_messages'>;

/** A window into a list that the server orders, oldest first. */
export type Timeline = {
  messages: readonly VisibleMessage[];
  /** How many at the end came by a reply whose event has not arrived: events in order go before them. */
  unsequenced: number;
  hasOlder: boolean;
  hasNewer: boolean;
  /** The newest message of all that is known of, where the window does not reach it. */
  tail?: VisibleMessage | undefined;
  /** The last message that came while the window was elsewhere: a page of the end that lacks it was read too early. */
  passed?: VisibleMessage | undefined;
};

export type LoadedThread = Timeline & { isLoading: boolean };
export type ThreadTyper = { user: User; parentId: string };

/** The fields that confirmed and visible state have in common. */
export type ChannelFacts = Timeline & {
  cid: string;
  ownId: string;
  channel: Channel;
  members: readonly Member[];
  membership: Member | undefined;
  /** The number of the last message that counts as unread. A notification may raise it ahead of the log: no event is measured by it. */
  lastNumber: number;
  /** The counts of a channel that is too large for marks of each member. */
  readCounts: ReadCounts | undefined;
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

/** One for each member with a mark. A list, as every message moves one: a record of all would be copied key by key. */
export type ReadMarks = readonly ChannelRead[];

/** The state of a channel as the server confirmed it. Only reducers and snapshots make one. */
export type ConfirmedChannel = ChannelFacts & {
  marks: ReadMarks;
};

/** The state that people see: confirmed state with the pending operations on top. */
export type ChannelState = ConfirmedChannel & {
  /** The marks by user, made when it is first asked for. */
  readonly read: Readonly<Record<string, ChannelRead>>;
  seq: number;
  /** Derived: the channel's last number less the own read number. */
  unread: number;
  /** The channel is not kept live at the moment; it is queried anew when opened. */
  isStale: boolean;
};

/** Names a message; every message is one. */
export type MessageRef = { cid: string; id: string };
