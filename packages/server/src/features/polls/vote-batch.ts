import { randomUUID } from 'node:crypto';
import { invalid, ParleyError, type PollVote } from '@parley/protocol';
import type pg from 'pg';
import { type MembershipCheck, readMembershipRefusals } from '../../access/membership-check.ts';
import type { VoteEventType } from './publishing.ts';
import { toOwnVote, type VoteRow } from './record.ts';
import { isClosedAt, type PollRow } from './rules.ts';
import {
  insertVotes,
  type LockedPoll,
  listVotesOf,
  lockVotedPolls,
  markUnpublished,
  recountPolls,
  removeVotes,
} from './vote-store.ts';

/** A change of a user's votes in a poll: a vote for an option, an answer, or the removal of one. */
export type Ask = {
  pollId: string;
  messageId: string;
  userId: string;
  cid: string;
  membershipCheck: MembershipCheck | undefined;
} & (
  | { kind: 'option'; optionId: string }
  | { kind: 'answer'; text: string }
  | { kind: 'back'; voteId: string }
);
/** `type` is undefined where all was so already. */
export type Change = { type: VoteEventType | undefined; vote: VoteRow };
/** `polls` are those of the whole batch, the same list for all in it. */
export type Cast = Change & { poll: PollRow; own: PollVote[]; polls: readonly PollRow[] };

type Voters = Map<string, VoteRow[]>;
export type Result = Cast | ParleyError;

const notHere = ({ pollId, messageId }: Ask) =>
  new ParleyError('NotFound', `No poll ${pollId} on the message ${messageId}`);

const refusalOf = (ask: Ask, poll: LockedPoll | undefined, now: string): ParleyError | undefined => {
  if (!poll || poll.message_id !== ask.messageId || poll.message_deleted_at) return notHere(ask);
  // It may have been frozen since the rights were looked at.
  if (poll.is_frozen) return new ParleyError('NotAllowed', `Not allowed to cast-poll-vote in ${poll.cid}`);
  if (isClosedAt(poll, now)) return invalid('poll_id', 'The poll is closed');
  if (ask.kind === 'option' && !poll.options.some(({ id }) => id === ask.optionId))
    return invalid('vote.option_id', 'names no option of this poll');
  if (ask.kind === 'answer' && !poll.allow_answers)
    return invalid('vote.answer_text', 'This poll takes no answers');
  return undefined;
};

const voteOf = (ask: Ask, now: string): VoteRow => ({
  id: randomUUID(),
  poll_id: ask.pollId,
  user_id: ask.userId,
  option_id: ask.kind === 'option' ? ask.optionId : null,
  answer_text: ask.kind === 'answer' ? ask.text : null,
  created_at: now,
  updated_at: now,
});

type Outcome = { change: Change; votes: VoteRow[] } | ParleyError;

const takeBack = (ask: Ask & { kind: 'back' }, votes: VoteRow[]): Outcome => {
  const vote = votes.find(({ id }) => id === ask.voteId);
  if (!vote) return new ParleyError('NotFound', `No vote ${ask.voteId} of yours on this poll`);
  return { change: { type: 'poll.vote_removed', vote }, votes: votes.filter((one) => one !== vote) };
};

const answer = (ask: Ask & { kind: 'answer' }, votes: VoteRow[], now: string): Outcome => {
  const before = votes.find((vote) => vote.option_id === null);
  if (before?.answer_text === ask.text) return { change: { type: undefined, vote: before }, votes };
  const vote = before ? { ...before, answer_text: ask.text, updated_at: now } : voteOf(ask, now);
  return {
    change: { type: before ? 'poll.vote_changed' : 'poll.vote_casted', vote },
    votes: [...votes.filter((one) => one !== before), vote],
  };
};

/** In a poll of one vote the new one takes the place of the old; elsewhere a vote too many is refused. */
const choose = (ask: Ask & { kind: 'option' }, poll: PollRow, votes: VoteRow[], now: string): Outcome => {
  const chosen = votes.filter((vote) => vote.option_id !== null);
  const before = chosen.find((vote) => vote.option_id === ask.optionId);
  if (before) return { change: { type: undefined, vote: before }, votes };
  const vote = voteOf(ask, now);
  if (poll.enforce_unique_vote) {
    const type = chosen.length > 0 ? 'poll.vote_changed' : 'poll.vote_casted';
    return {
      change: { type, vote },
      votes: [...votes.filter((one) => one.option_id === null), vote],
    };
  }
  if (poll.max_votes_allowed !== null && chosen.length >= poll.max_votes_allowed)
    return invalid('vote.option_id', `You may choose at most ${poll.max_votes_allowed} options`);
  return { change: { type: 'poll.vote_casted', vote }, votes: [...votes, vote] };
};

const decide = (ask: Ask, poll: PollRow, votes: VoteRow[], now: string): Outcome => {
  if (ask.kind === 'back') return takeBack(ask, votes);
  return ask.kind === 'answer' ? answer(ask, votes, now) : choose(ask, poll, votes, now);
};

const voterOf = ({ pollId, userId }: Ask): string => `${pollId} ${userId}`;
const byAge = (a: VoteRow, b: VoteRow): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1;

type Looked = {
  polls: Map<string, LockedPoll>;
  voters: Voters;
  lost: (ask: Ask) => ParleyError | undefined;
};

/** Goes through a batch in order. Each sees what those before it did. */
const decideAll = (asks: Ask[], { polls, voters, lost }: Looked, now: string) => {
  const changed = new Set<string>();
  const decided = asks.map((ask): Change | ParleyError => {
    const poll = polls.get(ask.pollId);
    const refusal = lost(ask) ?? refusalOf(ask, poll, now);
    if (refusal || !poll) return refusal ?? notHere(ask);
    const outcome = decide(ask, poll, voters.get(voterOf(ask)) ?? [], now);
    if (outcome instanceof ParleyError) return outcome;
    if (outcome.change.type !== undefined) changed.add(ask.pollId);
    voters.set(voterOf(ask), outcome.votes);
    return outcome.change;
  });
  return { decided, changed: [...changed] };
};

/** The difference between what stood and what stands now. An answer in other words keeps its id. */
const store = (client: pg.Client, before: VoteRow[], after: VoteRow[]): Promise<unknown>[] => {
  const stood = new Set(before);
  const stands = new Set(after);
  const gone = before.filter((vote) => !stands.has(vote)).map(({ id }) => id);
  const fresh = after.filter((vote) => !stood.has(vote));
  return [
    ...(gone.length > 0 ? [removeVotes(client, gone)] : []),
    ...(fresh.length > 0 ? [insertVotes(client, fresh)] : []),
  ];
};

const groupVotes = (rows: VoteRow[]): Voters => {
  const voters: Voters = new Map();
  for (const row of rows) {
    const key = `${row.poll_id} ${row.user_id}`;
    voters.set(key, [...(voters.get(key) ?? []), row]);
  }
  return voters;
};

/** Casts a batch in one transaction of two round trips: lock and look, then write and commit. */
export const castBatch = async (client: pg.Client, asks: Ask[], now: () => string): Promise<Result[]> => {
  const pollIds = [...new Set(asks.map(({ pollId }) => pollId))];
  const people = [...new Map(asks.map((ask) => [voterOf(ask), ask])).values()];
  try {
    const [, locked, known, lost] = await Promise.all([
      client.query('begin'),
      lockVotedPolls(client, pollIds),
      listVotesOf(client, people),
      readMembershipRefusals(client, asks),
    ]);
    const polls = new Map(locked.map((row) => [row.id, row]));
    const voters = groupVotes(known);
    const { decided, changed } = decideAll(asks, { polls, voters, lost }, now());
    const [recounted] = await Promise.all([
      changed.length > 0 ? write(client, known, [...voters.values()].flat(), changed) : undefined,
      client.query('commit'),
    ]);
    for (const row of recounted ?? []) polls.set(row.id, row);
    const all = [...polls.values()];
    return decided.map((change, index) => resultOf(change, asks[index], all, voters));
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/** Sends every statement before it waits for any: the commit is right behind them. */
const write = (client: pg.Client, before: VoteRow[], after: VoteRow[], changed: string[]) => {
  const stored = store(client, before, after);
  const recounted = recountPolls(client, changed);
  const marked = markUnpublished(client, changed);
  return Promise.all([recounted, marked, ...stored]).then(([rows]) => rows);
};

const resultOf = (
  change: Change | ParleyError,
  ask: Ask | undefined,
  polls: readonly PollRow[],
  voters: Voters,
): Result => {
  if (change instanceof ParleyError) return change;
  const poll = ask && polls.find(({ id }) => id === ask.pollId);
  if (!poll) return new ParleyError('Internal');
  const own = (voters.get(voterOf(ask)) ?? []).toSorted(byAge).map(toOwnVote);
  return { ...change, poll, own, polls };
};
