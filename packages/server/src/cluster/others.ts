import type { BusEvent, TransientEvent } from '../bus/bus.ts';
import type { LostUsers } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import { NoAnswer, type Questions } from './questions.ts';
import { type Limits, ownLimits } from './shared-limits.ts';

type Stale = Extract<BusEvent, { kind: 'stale' }>;
type UsersEvent = Extract<BusEvent, { kind: 'users' }>;

/** The other servers of the deployment, as the parts of a server see them. */
export type Others = {
  /** The id of this server. */
  readonly self: string;
  readonly questions: Pick<Questions, 'ask' | 'handle'>;
  readonly limits: Limits;
  /** A connection of this server begins to follow the channel, or the last one ends. */
  followChannel(cid: string, follows: boolean): void;
  holdUser(userId: string, holds: boolean): void;
  /** Resolves when every later event reaches the channels that are followed; undefined where it does already. */
  following(): Promise<void> | undefined;
  setOnline(userId: string, isOnline: boolean): void;
  isOnline(userId: string): boolean;
  setWatchers(cid: string, count: number): void;
  countWatchers(cids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Publishes to the connections of this server only. */
  publishHere(event: TransientEvent | UsersEvent): void;
  /** Stores in a transaction which cache entries it makes stale, and sends its sure events with its commit. */
  storeInside(db: Db, commit: { stale: readonly Stale[]; sure: readonly UsersEvent[] }): Promise<void>;
  /** Called before a call: a server that was paused or cut off from the database first learns what changed meanwhile. */
  catchUp(): Promise<void> | undefined;
  /** Users who came online or went offline by what happened on other servers: every server finds out by itself. */
  onUsersChanged(listener: (userIds: string[], isServerDead: boolean) => void): void;
  /** Events of these users may have been lost, which no log holds. */
  onUserEventsLost(listener: (lost: LostUsers) => void): void;
};

/** The others of a server that is alone for sure: the demo's data is made before it starts. */
export const noOthers: Others = {
  self: '',
  questions: { ask: () => Promise.reject(new NoAnswer(true)), handle: () => undefined },
  limits: ownLimits,
  followChannel: () => undefined,
  holdUser: () => undefined,
  following: () => undefined,
  setOnline: () => undefined,
  isOnline: () => false,
  setWatchers: () => undefined,
  countWatchers: async () => new Map(),
  publishHere: () => undefined,
  storeInside: async () => undefined,
  catchUp: () => undefined,
  onUsersChanged: () => undefined,
  onUserEventsLost: () => undefined,
};
