import type { ChannelStateReply, Message, OwnUser, ServerEvent, User } from '@parley/protocol';
import type { Environment } from './environment.ts';
import type { Events } from './events.ts';
import type { Http } from './http/http.ts';
import type { Log } from './log.ts';
import type { Batch, Cell } from './readable.ts';
import type { Gap } from './sync/gap.ts';
import type { OutboxEntry } from './sync/outbox.ts';
import type { Store } from './sync/store.ts';
import type { UserCache } from './sync/user-cache.ts';

export type Settings = {
  /** Messages asked for at a time. */
  pageSize: number;
  /** Messages kept per list at most. */
  windowSize: number;
  disableCache: boolean;
};

/** The services of a client that every feature uses. */
export type Core = {
  http: Http;
  store: Store;
  users: UserCache;
  gap: Gap;
  batch: Batch;
  events: Events;
  environment: Environment;
  settings: Settings;
  log: Log;
  me: Cell<OwnUser | undefined>;
  /** Throws "User is not set on client" when nobody is connected. */
  ownId(): string;
  /** The own user as messages show it; known in part before the first connection. */
  ownUser(): User | undefined;
  /** Waits while a connection is being made; undefined when there is none to be had now. One that the server does not know
   * (`lost`) is given up first. */
  connectionId(lost?: string): Promise<string | undefined>;
  /** Called when a snapshot took the place of a known state without the events between. */
  readonly afterJump: ((cid: string) => void)[];
  /** Called with every reply that holds the state of a channel. */
  readonly afterState: ((reply: ChannelStateReply) => void)[];
  /** Called with each message that waits to be sent when it changes, and when it has left the outbox. */
  readonly afterOutbox: ((entry: OutboxEntry, isOver: boolean) => void)[];
  /** Called when the user signs out: each drops what belongs to that user. */
  readonly resets: (() => void)[];
  /** Applies what a reply has confirmed, as if its event had come. A reply at a `seq` that the log has reached says nothing. */
  confirm(event: Confirmed, seq?: number): void;
  /** The ids of calls that store something and whose reply was lost, by what they store. */
  readonly unsureIds: Map<string, string>;
  /** The page loads under way, by list and direction. */
  readonly loads: Map<string, Promise<void>>;
  /** The first pages of lists as this device knew them before, by query. */
  readonly lists: Map<string, readonly string[]>;
  /** The messages that only the own user sees, by id. */
  readonly privateMessages: Map<string, Message>;
  /** Ends when a message of the outbox was stored or refused; at once for any other. */
  settled(cid: string, id: string): Promise<unknown>;
};

type WithoutTime<T> = T extends ServerEvent ? Omit<T, 'created_at'> : never;
export type Confirmed = WithoutTime<ServerEvent>;
