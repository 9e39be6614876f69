import type { Poll, PollVote } from '@parley/protocol';
import type { Kysely } from 'kysely';
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
    /** The polls of messages. */
    find: async (db: Kysely<Database>, ids: string[], viewerId?: string): Promise<ReadPolls> =>
      ids.length === 0 ? { polls: new Map(), own: new Map() } : read(db, await listPolls(db, ids), viewerId),
  };
};
