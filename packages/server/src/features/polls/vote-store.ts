import type pg from 'pg';
import { columnsOf } from '../../db/columns.ts';
import type { VoteRow } from './record.ts';
import type { PollRow } from './rules.ts';
import { recountSql } from './store.ts';

/** The statements of a batch of votes. Each function sends its statement before it returns, so that all of a round trip are on
 * their way before the first is awaited. */
const statements = {
  lock: {
    name: 'votes-lock',
    text: `select ${columnsOf('polls')}, messages.deleted_at as message_deleted_at,
        channels.frozen or channels.disabled as is_frozen from polls
      join messages on messages.id = polls.message_id
      join channels on channels.cid = messages.cid and channels.emptied_seq < messages.seq
      where polls.id = any($1::text[]) order by polls.id for update of polls`,
  },
  voters: {
    name: 'votes-voters',
    text: `select ${columnsOf('poll_votes', 'v')} from unnest($1::text[], $2::text[]) as t (poll_id, user_id)
      join poll_votes v on v.poll_id = t.poll_id and v.user_id = t.user_id order by v.created_at, v.id`,
  },
  remove: { name: 'votes-remove', text: 'delete from poll_votes where id = any($1::text[])' },
  insert: {
    name: 'votes-insert',
    text: `insert into poll_votes (id, poll_id, user_id, option_id, answer_text, created_at, updated_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])`,
  },
  recount: {
    name: 'votes-recount',
    text: `update polls set ${recountSql} where id = any($1::text[]) returning ${columnsOf('polls')}`,
  },
  unpublished: {
    name: 'votes-unpublished',
    text: 'insert into poll_untold select unnest($1::text[]) on conflict do nothing',
  },
};

export type LockedPoll = PollRow & { message_deleted_at?: string | null; is_frozen?: boolean };

export const lockVotedPolls = async (client: pg.Client, ids: string[]): Promise<LockedPoll[]> =>
  (await client.query<LockedPoll>({ ...statements.lock, values: [ids] })).rows;

/** The votes of these people in these polls, the oldest first. */
export const listVotesOf = async (
  client: pg.Client,
  people: { pollId: string; userId: string }[],
): Promise<VoteRow[]> => {
  const values = [people.map(({ pollId }) => pollId), people.map(({ userId }) => userId)];
  return (await client.query<VoteRow>({ ...statements.voters, values })).rows;
};

export const removeVotes = (client: pg.Client, ids: string[]): Promise<unknown> =>
  client.query({ ...statements.remove, values: [ids] });

export const insertVotes = (client: pg.Client, votes: VoteRow[]): Promise<unknown> => {
  const column = <K extends keyof VoteRow>(key: K) => votes.map((vote) => vote[key]);
  return client.query({
    ...statements.insert,
    values: [
      column('id'),
      column('poll_id'),
      column('user_id'),
      column('option_id'),
      column('answer_text'),
      column('created_at'),
      column('updated_at'),
    ],
  });
};

export const recountPolls = async (client: pg.Client, ids: string[]): Promise<PollRow[]> =>
  (await client.query<PollRow>({ ...statements.recount, values: [ids] })).rows;

export const markUnpublished = (client: pg.Client, ids: string[]): Promise<unknown> =>
  client.query({ ...statements.unpublished, values: [ids] });
