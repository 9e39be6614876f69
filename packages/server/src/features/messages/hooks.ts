import type { Message, Poll, PollVote, SharedLocation } from '@parley/protocol';
import type { Place } from '../../access/place.ts';
import type { Actor, UserEntry } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import type { Tx } from '../../kernel/kernel.ts';
import { createHook, createSingleHook } from '../../wiring/hooks.ts';
import type { Prepared } from './prepare.ts';

/** Looks at a message before anything is stored; refuses by throwing. */
export type BeforeSendHook = (actor: Actor, place: Place, message: Prepared) => Promise<void>;
/** Takes part in the transaction of a message that carries a poll or a location, is a reply, or is sent in slow mode. */
export type SendHook = (tx: Tx, row: MessageRow, message: Prepared) => Promise<void>;
/** Takes part in the transaction of a reply. */
export type ReplyHook = (tx: Tx, reply: MessageRow, parent: MessageRow) => Promise<void>;
/** Takes part in the transaction that hides what a message carried: it was deleted, or lost its location. */
export type WithdrawHook = (tx: Tx, row: MessageRow) => Promise<void>;
/** Takes part in the transaction that deletes a message for good, before it does. */
export type EraseHook = (tx: Tx, row: MessageRow) => Promise<void>;
/** Takes part in the transaction that counted the replies to a message anew: one was deleted or restored. */
export type RecountHook = (tx: Tx, parent: MessageRow, reply: MessageRow) => Promise<void>;
/** Finds what a message has for its reader alone, by the id of the message. */
export type PersonalHook = (
  db: Db,
  viewer: UserEntry,
  messageIds: string[],
) => Promise<ReadonlyMap<string, Partial<Message>> | undefined>;
/** Reads the polls that these messages carry, by the id of the message, and the viewer's own votes, by that of the poll. */
export type FindPolls = (
  db: Db,
  messages: readonly Pick<MessageRow, 'id' | 'poll_id' | 'user_id'>[],
  viewerId?: string,
) => Promise<{ polls: ReadonlyMap<string, Poll>; own: ReadonlyMap<string, PollVote[]> }>;
/** Reads the locations of the messages with these ids. */
export type FindLocations = (db: Db, messageIds: string[]) => Promise<ReadonlyMap<string, SharedLocation>>;

const noPolls: FindPolls = async () => ({ polls: new Map(), own: new Map() });
const noLocations: FindLocations = async () => new Map();

/** The questions that messages ask the features below. */
export const createMessageHooks = () => ({
  beforeSend: createHook<BeforeSendHook>(),
  /** Called after the row was inserted and before its event is in the log. */
  inserted: createHook<SendHook>(),
  /** Called after the event of the message is in the log. */
  logged: createHook<SendHook>(),
  replied: createHook<ReplyHook>(),
  withdrawn: createHook<WithdrawHook>(),
  erasing: createHook<EraseHook>(),
  recounted: createHook<RecountHook>(),
  personal: createHook<PersonalHook>(),
  findPolls: createSingleHook(noPolls),
  findLocations: createSingleHook(noLocations),
});
export type MessageHooks = ReturnType<typeof createMessageHooks>;
