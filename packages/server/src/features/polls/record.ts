import { limits, type Poll, type PollVote } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { UserEntry } from '../../auth/actor.ts';
import type { PollVotesTable } from '../../db/schema.ts';
import { isClosedAt, type PollRow } from './rules.ts';

export type VoteRow = Selectable<PollVotesTable>;
type Users = ReadonlyMap<string, UserEntry>;

/** A vote without who cast it. */
const bare = (row: VoteRow): PollVote => ({
  id: row.id,
  poll_id: row.poll_id,
  ...(row.option_id === null ? {} : { option_id: row.option_id }),
  is_answer: row.option_id === null,
  ...(row.answer_text === null ? {} : { answer_text: row.answer_text }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** A vote as the voter gets it. */
export const toOwnVote = (row: VoteRow): PollVote => ({ ...bare(row), user_id: row.user_id });

/** A vote as others get it: without the voter in an anonymous poll. */
export const toVote = (row: VoteRow, poll: PollRow, users: Users): PollVote => {
  if (poll.voting_visibility === 'anonymous') return bare(row);
  const user = users.get(row.user_id)?.user;
  return { ...bare(row), user_id: row.user_id, ...(user ? { user } : {}) };
};

export type PollParts = { users: Users; votes: readonly VoteRow[]; now: string };

/** Built from entries, not by assignment: an option may be called `__proto__`. */
const latestByOption = (row: PollRow, { votes, users }: PollParts): Record<string, PollVote[]> => {
  if (row.voting_visibility === 'anonymous') return {};
  const newestOf = (optionId: string) =>
    votes
      .filter((vote) => vote.poll_id === row.id && vote.option_id === optionId)
      .slice(0, limits.pollVotesShown)
      .map((vote) => toVote(vote, row, users));
  return Object.fromEntries(row.options.map(({ id }) => [id, newestOf(id)]));
};

const countOf = ({ vote_counts }: PollRow, id: string): number =>
  Object.hasOwn(vote_counts, id) ? (vote_counts[id] ?? 0) : 0;

/** The poll as everyone sees it. `votes` are the newest of each option and answer, newest first. */
export const toPoll = (row: PollRow, parts: PollParts): Poll => {
  const author = parts.users.get(row.created_by)?.user;
  const counts = Object.fromEntries(row.options.map(({ id }) => [id, countOf(row, id)]));
  return {
    ...row.data,
    id: row.id,
    name: row.name,
    ...(row.description === '' ? {} : { description: row.description }),
    options: row.options,
    voting_visibility: row.voting_visibility,
    enforce_unique_vote: row.enforce_unique_vote,
    ...(row.max_votes_allowed === null ? {} : { max_votes_allowed: row.max_votes_allowed }),
    allow_user_suggested_options: row.allow_user_suggested_options,
    allow_answers: row.allow_answers,
    is_closed: isClosedAt(row, parts.now),
    ...(row.end_at === null ? {} : { end_at: row.end_at }),
    vote_count: Object.values(counts).reduce((sum, count) => sum + count, 0),
    vote_counts_by_option: counts,
    latest_votes_by_option: latestByOption(row, parts),
    answers_count: row.answers_count,
    latest_answers: parts.votes
      .filter((vote) => vote.poll_id === row.id && vote.option_id === null)
      .slice(0, limits.pollAnswersShown)
      .map((vote) => toVote(vote, row, parts.users)),
    version: row.version,
    created_by_id: row.created_by,
    ...(author ? { created_by: author } : {}),
    ...(row.message_id === null ? {} : { message_id: row.message_id }),
    ...(row.cid === null ? {} : { cid: row.cid }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
};
