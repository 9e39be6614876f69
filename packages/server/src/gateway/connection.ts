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
  readonly follows: Set<string>;
  /** Second at which its token was made. */
  readonly issued: number | undefined;
  /** Second at which its token ends. */
  readonly expires: number | undefined;
  lastSeen: number;
  /** Those it did not follow before. */
  followPresence(userIds: string[]): string[];
  unfollowPresence(userIds: string[]): void;
};
