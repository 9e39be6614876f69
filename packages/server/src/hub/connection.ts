import type { Actor } from '../auth/actor.ts';
import type { Frame } from './frame.ts';

/** Where the frames of a connection go: a socket or a long-poll queue. */
export type Sink = {
  send(frame: Frame): void;
  close(code: number, reason: string): void;
};

/** One device of one user. The hub alone changes its sets. */
export type Connection = {
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
  /** The reason is the channel in which it was shown these users, or how it asked for them; it ends with the right to see them. */
  followPresence(userIds: string[], reason: string): void;
  unfollowPresence(userIds: string[], reason: string): void;
};
