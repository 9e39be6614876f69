import type { Message, User } from '@parley/protocol';
import type { Kysely } from 'kysely';
import type { UserEntry } from '../auth/actor.ts';
import type { MessageRow } from '../db/rows.ts';
import type { Database } from '../db/schema.ts';
import { type Hydrate, toReaction } from '../features/messages/hydrate.ts';
import { findMessages, listQuotedSince } from '../features/messages/store.ts';
import { findAnswers } from '../features/polls/store.ts';
import { listReactionsAmong } from '../features/reactions/store.ts';
import type { UserCache } from '../features/users/cache.ts';

type Db = Kysely<Database>;

/** A record as the log stores it. */
export type LoggedRecord = Record<string, unknown>;
export type LoggedMessage = {
  id: string;
  user?: { id: string };
  parent_id?: string;
  show_in_channel?: boolean;
  silent?: boolean;
  number: number;
  created_at: string;
  updated_at: string;
  deleted_at?: string;
  deleted_by_other?: boolean;
};
export type LoggedVote = LoggedRecord & { id: string; user_id?: string };
export type LoggedReaction = LoggedRecord & { message_id: string; user_id: string; type: string };
export type LoggedMember = LoggedRecord & { user_id: string };
export type LoggedOfMessage = LoggedRecord & { message_id?: string };

/** An event as the log stores it: each record is stripped of what people wrote. */
export type LoggedEvent = {
  type: string;
  seq: number;
  cid: string;
  created_at: string;
  message?: LoggedMessage;
  reaction?: LoggedReaction;
  poll?: LoggedOfMessage;
  vote?: LoggedVote;
  shared_location?: LoggedOfMessage;
  shared_locations?: LoggedOfMessage[];
  channel?: LoggedRecord;
  member?: LoggedMember;
  thread?: LoggedRecord & { parent_message_id: string };
  user?: { id: string };
};

/** The times until which the reader has cleared the history of channels, by cid. */
export type Cleared = ReadonlyMap<string, string>;

const messageIdsOf = (event: LoggedEvent): (string | undefined)[] => [
  event.message?.id,
  event.poll?.message_id,
  event.shared_location?.message_id,
  ...(event.shared_locations ?? []).map(({ message_id }) => message_id),
  event.thread?.parent_message_id,
];

const userIdsOf = (event: LoggedEvent): (string | undefined)[] => [
  event.user?.id,
  event.reaction?.user_id,
  event.vote?.user_id,
  event.member?.user_id,
];

const present = <T>(list: Iterable<T | undefined>): T[] => {
  const found = new Set<T>();
  for (const one of list) if (one !== undefined) found.add(one);
  return [...found];
};

/** The messages that exist and that the reader may see; `quoted` are those that are only seen as quotes. */
const findShown = async (
  db: Db,
  events: readonly LoggedEvent[],
  cleared: Cleared,
): Promise<{ rows: MessageRow[]; quoted: ReadonlySet<string> }> => {
  const ids = present(events.flatMap(messageIdsOf));
  const cids = events.map(({ cid }) => cid);
  const rows = ids.length === 0 ? [] : await findMessages(db, ids, cids);
  if (cleared.size === 0) return { rows, quoted: new Set() };
  const isHidden = ({ cid, created_at }: MessageRow) => created_at <= (cleared.get(cid) ?? '');
  const quoted = new Set<string>();
  for (const [cid, until] of cleared) {
    const hidden = rows.filter((row) => row.cid === cid && isHidden(row)).map(({ id }) => id);
    // A cleared message that is quoted by one that the reader sees may be read all the same.
    if (hidden.length > 0) for (const id of await listQuotedSince(db, cid, hidden, until)) quoted.add(id);
  }
  return { rows: rows.filter((row) => !isHidden(row) || quoted.has(row.id)), quoted };
};

/** A quote has no quote of its own: what that one holds may be cleared. */
const asQuote = ({ quoted_message: _, ...message }: Message): Message => message;

export const reactionKey = ({ message_id, user_id, type }: LoggedReaction): string =>
  JSON.stringify([message_id, user_id, type]);

const findReactions = async (db: Db, logged: LoggedReaction[], users: ReadonlyMap<string, UserEntry>) => {
  if (logged.length === 0) return new Map<string, unknown>();
  const messageIds = present(logged.map((one) => one.message_id));
  const rows = await listReactionsAmong(db, messageIds, present(logged.map((one) => one.user_id)));
  return new Map<string, unknown>(rows.map((row) => [reactionKey(row), toReaction(row, users)]));
};

export type Shown = {
  /** Messages by id, as everyone sees them, softly deleted ones too. */
  messages: ReadonlyMap<string, { row: MessageRow; message: Message }>;
  users: ReadonlyMap<string, UserEntry>;
  reactions: ReadonlyMap<string, unknown>;
  answers: ReadonlyMap<string, string>;
};

/** The records that the events refer to, as they are now, as far as the reader may see them. */
export const findShownOf = async (
  { db, hydrate, users }: { db: Db; hydrate: Hydrate; users: UserCache },
  events: readonly LoggedEvent[],
  cleared: Cleared,
): Promise<Shown> => {
  const { rows, quoted } = await findShown(db, events, cleared);
  const messages = await hydrate(db, rows);
  const found = await users.getMany(db, present(events.flatMap(userIdsOf)));
  const shown = new Map<string, { row: MessageRow; message: Message }>();
  for (const [index, row] of rows.entries()) {
    const message = messages[index];
    if (message) shown.set(row.id, { row, message: quoted.has(row.id) ? asQuote(message) : message });
  }
  const isShown = (id: string | undefined) => id !== undefined && shown.get(id)?.row.deleted_at === null;
  const reactions = present(events.map(({ reaction }) => reaction)).filter((one) => isShown(one.message_id));
  const votes = events.filter(({ poll }) => isShown(poll?.message_id)).map(({ vote }) => vote?.id);
  return {
    messages: shown,
    users: found,
    reactions: await findReactions(db, reactions, found),
    answers: await findAnswers(db, present(votes)),
  };
};

export const userOf = ({ users }: Shown, id: string | undefined): { user?: User } => {
  const entry = id === undefined ? undefined : users.get(id);
  return entry ? { user: entry.user } : {};
};
