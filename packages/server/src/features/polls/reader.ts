import type { Poll, PollVote } from '@parley/protocol';
import type { Kysely } from 'kysely';
import type { MessageRow } from '../../db/rows.ts';
import type { Database } from '../../db/schema.ts';
import type { UserCache } from '../users/cache.ts';
import { toOwnVote, toPoll, type VoteRow } from './record.ts';
import { hasVotes, type PollRow } from './rules.ts';
import { listPolls, listShownVotes } from './store.ts';

type ReadPolls = {
  /** Polls by id, as everyone sees them. */
  polls: ReadonlyMap<string, Poll>;
  /** The viewer's own votes by poll, oldest first. */
  own: ReadonlyMap<string, PollVote[]>;
};

const groupOwn = (rows: readonly VoteRow[]): Map<string, PollVote[]> => {
  const own = new Map<string, PollVote[]>();
  for (const row of rows.toReversed()) {
    const list = own.get(row.poll_id);
    if (list) list.push(toOwnVote(row));
    else own.set(row.poll_id, [toOwnVote(row)]);
  }
  return own;
};

type Carrier = Pick<MessageRow, 'id' | 'poll_id' | 'user_id'>;

/** The id of a deleted poll is free again, and its message still names it: a poll that another user made under it, or that another
 * message carries, is not that of the message. */
const isCarriedBy = ({ id, user_id }: Carrier, { message_id, created_by }: PollRow): boolean =>
  message_id === null ? created_by === user_id : message_id === id;

export type PollReader = ReturnType<typeof createPollReader>;

/** Rows as polls, with what they show of their votes. */
export const createPollReader = (users: UserCache, now: () => string) => {
  const read = async (
    db: Kysely<Database>,
    rows: readonly PollRow[],
    viewerId?: string,
  ): Promise<ReadPolls> => {
    const voted = rows.filter(hasVotes).map((row) => row.id);
    const { votes, own } = await listShownVotes(db, voted, viewerId);
    const found = await users.getMany(db, [
      ...rows.map((row) => row.created_by),
      ...votes.map((vote) => vote.user_id),
    ]);
    const parts = { users: found, votes, now: now() };
    return { polls: new Map(rows.map((row) => [row.id, toPoll(row, parts)])), own: groupOwn(own) };
  };
  return {
    read,
    /** The polls of messages, by the id of the message. */
    find: async (
      db: Kysely<Database>,
      messages: readonly Carrier[],
      viewerId?: string,
    ): Promise<ReadPolls> => {
      if (messages.length === 0) return { polls: new Map(), own: new Map() };
      const ids = messages.flatMap(({ poll_id }) => poll_id ?? []);
      const rows = new Map((await listPolls(db, ids)).map((row) => [row.id, row]));
      const { polls, own } = await read(db, [...rows.values()], viewerId);
      const carried = new Map<string, Poll>();
      for (const message of messages) {
        const row = rows.get(message.poll_id ?? '');
        const poll = row && isCarriedBy(message, row) ? polls.get(row.id) : undefined;
        if (poll) carried.set(message.id, poll);
      }
      return { polls: carried, own };
    },
  };
};
