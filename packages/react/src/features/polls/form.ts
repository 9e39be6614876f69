/** The form of a poll that is being written. Its functions are pure, so that the dialog only draws it. */
import type { PollDraft, PollInput } from '@parley/client/polls';
import { parseMaxVotes } from '@parley/client/polls';

/** A row that was never typed in is no option, whatever is around it; one that was emptied is a mistake. */
export type OptionRow = { id: string; text: string; isTouched?: true };

export type PollForm = {
  name: string;
  /** The last row is always blank: to type in it adds an option. */
  rows: readonly OptionRow[];
  isSeveral: boolean;
  /** The limit as typed; undefined where there is none. */
  maxVotes: string | undefined;
  isAnonymous: boolean;
  allowSuggestions: boolean;
  allowComments: boolean;
  /** The value of the field, in local time; empty for none. */
  endAt: string;
};

const row = (id: string): OptionRow => ({ id, text: '' });

export const emptyForm = (name: string, newId: () => string): PollForm => ({
  name,
  rows: [row(newId()), row(newId())],
  isSeveral: false,
  maxVotes: undefined,
  isAnonymous: false,
  allowSuggestions: false,
  allowComments: false,
  endAt: '',
});

/** The most options of a poll. */
const mostOptions = 100;

const withSpare = (rows: readonly OptionRow[], newId: () => string): readonly OptionRow[] =>
  rows.at(-1)?.text === '' || rows.length >= mostOptions ? rows : [...rows, row(newId())];

export const typeOption = (form: PollForm, id: string, text: string, newId: () => string): PollForm => ({
  ...form,
  rows: withSpare(
    form.rows.map((each) => (each.id === id ? { id, text, isTouched: true as const } : each)),
    newId,
  ),
});

export const removeOption = (form: PollForm, id: string, newId: () => string): PollForm => ({
  ...form,
  rows: withSpare(
    form.rows.filter((each) => each.id !== id),
    newId,
  ),
});

/** The spare row stays last. */
export const moveOption = (form: PollForm, id: string, to: number): PollForm => {
  const from = form.rows.findIndex((each) => each.id === id);
  const moved = form.rows[from];
  const last = form.rows.at(-1)?.text === '' ? form.rows.length - 2 : form.rows.length - 1;
  const at = Math.max(0, Math.min(to, last));
  if (!moved || from > last || at === from) return form;
  return { ...form, rows: form.rows.toSpliced(from, 1).toSpliced(at, 0, moved) };
};

const optionsOf = ({ rows }: PollForm): readonly OptionRow[] => rows.filter(({ isTouched }) => isTouched);

export const draftOf = (form: PollForm): PollDraft => ({
  name: form.name,
  options: optionsOf(form),
  maxVotes: form.isSeveral ? form.maxVotes : undefined,
  allowSuggestions: form.allowSuggestions,
  allowAnswers: form.allowComments,
});

export const inputOf = (form: PollForm): PollInput => {
  const max = form.isSeveral && form.maxVotes !== undefined ? parseMaxVotes(form.maxVotes) : undefined;
  return {
    name: form.name.trim(),
    options: optionsOf(form).map(({ text }) => ({ text: text.trim() })),
    enforce_unique_vote: !form.isSeveral,
    ...(max === undefined ? {} : { max_votes_allowed: max }),
    voting_visibility: form.isAnonymous ? 'anonymous' : 'public',
    allow_user_suggested_options: form.allowSuggestions,
    allow_answers: form.allowComments,
    ...(form.endAt === '' ? {} : { end_at: new Date(form.endAt).toISOString() }),
  };
};
