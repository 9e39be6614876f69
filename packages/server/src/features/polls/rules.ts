import { randomUUID } from 'node:crypto';
import { invalid, limits, type PollOption, pollOptionKey, texts } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { PollsTable } from '../../db/schema.ts';

export type PollRow = Selectable<PollsTable>;

/** The known fields of a poll in a request; absent ones stay as before, or are the default. */
export type PollValues = Pick<
  PollRow,
  | 'name'
  | 'description'
  | 'options'
  | 'voting_visibility'
  | 'enforce_unique_vote'
  | 'max_votes_allowed'
  | 'allow_user_suggested_options'
  | 'allow_answers'
  | 'is_closed'
  | 'end_at'
>;

export const newPoll: PollValues = {
  name: '',
  description: '',
  options: [],
  voting_visibility: 'public',
  enforce_unique_vote: false,
  max_votes_allowed: null,
  allow_user_suggested_options: false,
  allow_answers: false,
  is_closed: false,
  end_at: null,
};

export type OptionInput = { id?: string | undefined; text?: string | undefined };

/** Options with an id each. Refuses one that is empty or there already, in the words of the composer. */
export const checkOptions = (given: readonly OptionInput[], path: string): PollOption[] => {
  const keys = new Set<string>();
  const ids = new Set<string>();
  return given.map(({ id = randomUUID(), text = '' }, index) => {
    const key = pollOptionKey(text);
    if (key === '') throw invalid(`${path}.${index}.text`, texts.pollOptionEmpty);
    if (keys.has(key)) throw invalid(`${path}.${index}.text`, texts.pollOptionExists);
    if (ids.has(id)) throw invalid(`${path}.${index}.id`, 'is given twice');
    keys.add(key);
    ids.add(id);
    return { id, text: text.trim() };
  });
};

/** One more option, or an option in other words. */
export const checkOption = (others: readonly PollOption[], text: string | undefined): string => {
  const key = pollOptionKey(text ?? '');
  if (text === undefined || key === '') throw invalid('text', texts.pollOptionEmpty);
  if (others.some((other) => pollOptionKey(other.text) === key))
    throw invalid('text', texts.pollOptionExists);
  return text.trim();
};

export const checkMaxVotes = (value: unknown, path: string): number | null => {
  if (value === undefined || value === null) return null;
  const { pollMaxVotesLeast, pollMaxVotesMost } = limits;
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= pollMaxVotesLeast &&
    value <= pollMaxVotesMost
  )
    return value;
  throw invalid(path, texts.pollMaxVotes);
};

/** Checks rules across several fields. `prefix` is `set.` for a patch. */
export const checkPoll = (values: PollValues, prefix = ''): void => {
  if (pollOptionKey(values.name) === '') throw invalid(`${prefix}name`, texts.pollQuestionMissing);
  const { options, allow_user_suggested_options, allow_answers } = values;
  if (options.length === 0 && !allow_user_suggested_options && !allow_answers)
    throw invalid(`${prefix}options`, texts.pollOptionEmpty);
};

export const isClosedAt = ({ is_closed, end_at }: Pick<PollRow, 'is_closed' | 'end_at'>, now: string) =>
  is_closed || (end_at !== null && end_at <= now);

export const hasVotes = ({ vote_counts, answers_count }: PollRow): boolean =>
  answers_count > 0 || Object.keys(vote_counts).length > 0;

const fixed = ['voting_visibility', 'enforce_unique_vote', 'max_votes_allowed'] as const;

/** How people vote is settled with the first vote: who voted unseen must not come to light by an update. */
export const refuseNewRules = (row: PollRow, values: PollValues, prefix = ''): void => {
  if (!hasVotes(row)) return;
  for (const key of fixed)
    if (row[key] !== values[key]) throw invalid(`${prefix}${key}`, 'cannot change once someone has voted');
};

export const refuseClosed = (row: PollRow, now: string): void => {
  if (isClosedAt(row, now)) throw invalid('id', 'The poll is closed');
};
