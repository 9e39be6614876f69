import { limits, type Message, type PollVote, type Reaction, type SharedLocation } from '@parley/protocol';
import type { Kysely } from 'kysely';
import type { UserEntry } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Database } from '../../db/schema.ts';
import type { UserCache } from '../users/cache.ts';
import type { MessageHooks, PersonalHook } from './hooks.ts';
import { type References, toMessage } from './record.ts';
import { findMessages, listShownReactions, type ReactionRow } from './store.ts';

export const toReaction = (row: ReactionRow, users: ReadonlyMap<string, UserEntry>): Reaction => {
  const user = users.get(row.user_id)?.user;
  return {
    ...row.data,
    message_id: row.message_id,
    user_id: row.user_id,
    ...(user ? { user } : {}),
    type: row.type,
    score: row.score,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
};

const isReactedTo = (row: MessageRow): boolean => {
  for (const _ in row.reaction_groups) return row.deleted_at === null;
  return false;
};

const userIdsOf = (rows: Iterable<MessageRow>): string[] => {
  const ids: string[] = [];
  for (const row of rows) {
    ids.push(row.user_id);
    if (row.mentioned.length > 0) ids.push(...row.mentioned);
    if (row.participants.length > 0) ids.push(...row.participants);
    if (row.pinned_by !== null) ids.push(row.pinned_by);
  }
  return ids;
};

const group = (reactions: Reaction[]): Map<string, Reaction[]> => {
  const byMessage = new Map<string, Reaction[]>();
  for (const reaction of reactions) {
    const list = byMessage.get(reaction.message_id);
    if (list) list.push(reaction);
    else byMessage.set(reaction.message_id, [reaction]);
  }
  return byMessage;
};

/** The sources of the references of messages. */
type Sources = { users: UserCache; hooks: MessageHooks };
type Found = {
  refs: Omit<References, 'now'>;
  own: Map<string, Reaction[]>;
  ownVotes: ReadonlyMap<string, PollVote[]>;
};

const showsPoll = (row: MessageRow): boolean => row.poll_id !== null && row.deleted_at === null;

const none: ReadonlyMap<string, SharedLocation> = new Map();
const locatedIdsOf = (rows: MessageRow[]): string[] =>
  rows.flatMap((row) => (row.has_location && row.deleted_at === null ? [row.id] : []));

/** All that the rows refer to, and the viewer's own reactions and votes. */
const findReferences = async (
  db: Kysely<Database>,
  { users, hooks }: Sources,
  rows: MessageRow[],
  viewerId: string | undefined,
): Promise<Found> => {
  const quoting = rows.filter((row) => row.quoted_message_id !== null);
  const quotedIds = quoting.flatMap((row) => row.quoted_message_id ?? []);
  // A quote is of the same channel.
  const cids = quoting.map(({ cid }) => cid);
  const quoted = quotedIds.length === 0 ? [] : await findMessages(db, quotedIds, cids);
  const reactedIds = [...rows, ...quoted].filter(isReactedTo).map((row) => row.id);
  const reactions = await listShownReactions(db, reactedIds, viewerId);
  const { polls, own: ownVotes } = await hooks.findPolls.answer(
    db,
    [...rows, ...quoted].filter(showsPoll),
    viewerId,
  );
  const locatedIds = locatedIdsOf([...rows, ...quoted]);
  const found = await users.getMany(db, [
    ...userIdsOf([...rows, ...quoted]),
    ...reactions.map((row) => row.user_id),
  ]);
  const shown = reactions.filter((row) => row.place <= limits.reactionsShown);
  const refs = {
    users: found,
    quoted: new Map(quoted.map((row) => [row.id, row])),
    latest: group(shown.map((row) => toReaction(row, found))),
    polls,
    locations: locatedIds.length === 0 ? none : await hooks.findLocations.answer(db, locatedIds),
  };
  const own = group(reactions.filter((row) => row.user_id === viewerId).map((row) => toReaction(row, found)));
  return { refs, own, ownVotes };
};

export type Hydrate = ReturnType<typeof createHydrate>;

const addPersonal = async (
  messages: Message[],
  hooks: readonly PersonalHook[],
  db: Kysely<Database>,
  viewer: UserEntry,
): Promise<Message[]> => {
  let result = messages;
  for (const hook of hooks) {
    const added = await hook(
      db,
      viewer,
      result.map(({ id }) => id),
    );
    if (added && added.size > 0)
      result = result.map((message) => {
        const more = added.get(message.id);
        return more ? { ...message, ...more } : message;
      });
  }
  return result;
};

/** Rows as messages. `viewerId` adds what is personal; without it the result fits an event. */
export const createHydrate =
  (sources: Sources, now: () => string) =>
  async (db: Kysely<Database>, rows: MessageRow[], viewerId?: string): Promise<Message[]> => {
    if (rows.length === 0) return [];
    const { refs: found, own, ownVotes } = await findReferences(db, sources, rows, viewerId);
    const refs = { ...found, now: now() };
    if (viewerId === undefined) return rows.map((row) => toMessage(row, refs));
    const messages = rows.map((row) => {
      const message = { ...toMessage(row, refs), own_reactions: own.get(row.id) ?? [] };
      if (message.poll) message.poll = { ...message.poll, own_votes: ownVotes.get(message.poll.id) ?? [] };
      return message;
    });
    const personal = sources.hooks.personal.answers;
    const viewer = personal.length === 0 ? undefined : await sources.users.get(db, viewerId);
    return viewer ? addPersonal(messages, personal, db, viewer) : messages;
  };
