/** The mistakes of a poll that is being written, in the words of the server. */
import type { PollInput } from '@parley/protocol';
import { invalid, texts } from '@parley/protocol/errors';
import { limits, pollOptionKey } from '@parley/protocol/limits';
import { checkObject } from '../../cid.ts';

export type PollDraft = {
  name: string;
  options: readonly { id: string; text: string }[];
  /** The number as it was typed; undefined where it was not asked for. */
  maxVotes: string | undefined;
  allowSuggestions: boolean;
  allowAnswers: boolean;
};

export type PollNotices = {
  name: string | undefined;
  /** The key is the id of the option. */
  options: ReadonlyMap<string, string>;
  maxVotes: string | undefined;
  isReady: boolean;
};

/** The number typed as the maximum of votes; undefined if it is none. */
export const parseMaxVotes = (typed: string): number | undefined => {
  const value = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return value >= limits.pollMaxVotesLeast && value <= limits.pollMaxVotesMost ? value : undefined;
};

const optionNotices = (options: PollDraft['options']): Map<string, string> => {
  const notices = new Map<string, string>();
  const keys = new Set<string>();
  for (const { id, text } of options) {
    const key = pollOptionKey(text);
    if (key === '') notices.set(id, texts.pollOptionEmpty);
    else if (keys.has(key)) notices.set(id, texts.pollOptionExists);
    keys.add(key);
  }
  return notices;
};

/** The mistakes in a poll that is being written. */
export const pollNotices = (draft: PollDraft): PollNotices => {
  const name = pollOptionKey(draft.name) === '' ? texts.pollQuestionMissing : undefined;
  const options = optionNotices(draft.options);
  const maxVotes =
    draft.maxVotes !== undefined && parseMaxVotes(draft.maxVotes) === undefined
      ? texts.pollMaxVotes
      : undefined;
  const isAnswerable = draft.options.length > 0 || draft.allowSuggestions || draft.allowAnswers;
  return { name, options, maxVotes, isReady: !name && options.size === 0 && !maxVotes && isAnswerable };
};

/** Throws what the server would answer, naming the field, before anything is sent. */
export const checkPollInput = (input: PollInput): void => {
  checkObject('poll', input);
  if (pollOptionKey(input.name ?? '') === '') throw invalid('name', texts.pollQuestionMissing);
  const options = (input.options ?? []).map(({ text = '' }, index) => ({
    id: `options.${index}.text`,
    text,
  }));
  for (const [path, notice] of optionNotices(options)) throw invalid(path, notice);
  const most = input.max_votes_allowed ?? undefined;
  if (most !== undefined && parseMaxVotes(String(most)) !== most)
    throw invalid('max_votes_allowed', texts.pollMaxVotes);
};
