import type { Actor } from '../auth/actor.ts';
import type { Frame } from './frame.ts';

/** Where the frames of a connection go: a socket or a long-poll queue. */
export type Sink = {
  send(frame: Frame): void;
  close(code: number, reason: string): void;
  /** Its client was asked to open another connection: this one no longer counts for the cap of its address. */
  leavePlace?(): void;
};

/** The people whose presence is followed, by the reason: the channel in which the connection was shown them, or how it asked for
 * them. It ends with the right to see them. */
export type Followed = ReadonlyMap<string, readonly string[]>;

/** The connection that a call names: of this server, or of another one, which is then asked. */
export type Watcher = {
  /** From then on every event of those channels that its user may read reaches it. */
  watch(cids: readonly string[]): Promise<unknown>;
  unwatch(cids: readonly string[]): void | Promise<void>;
  followPresence(followed: Followed): void | Promise<void>;
  unfollowPresence(followed: Followed): void | Promise<void>;
};

/** The user of a connection, or a visitor. */
export type Owner = { kind: 'user' | 'anonymous'; userId: string };

/** One device of one user. The hub alone changes its sets. */
export type Connection = Watcher & {
  readonly id: string;
  actor: Exclude<Actor, { kind: 'server' }>;
  readonly sink: Sink;
  readonly watching: Set<string>;
  /** The times until which its user cleared the history of channels that it watches, by cid. */
  readonly cleared: Map<string, string>;
  /** The people whose presence it gets, each with the reasons: the channels they were shown in, or `people` or `neighbours`. */
  readonly follows: Map<string, Set<string>>;
  /** Second at which its token was made. */
  readonly issued: number | undefined;
  /** Second at which its token ends. */
  readonly expires: number | undefined;
  /** When it last gave a sign of life, by `Clock.elapsed`. */
  lastSeen: number;
  /** Its client was asked to open another one: until that has taken its place, the two count as one. */
  isMoving: boolean;
};
