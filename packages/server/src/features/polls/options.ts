import { randomUUID } from 'node:crypto';
import { invalid, limits, ParleyError, type Poll, type PollOption } from '@parley/protocol';
import type { Actor } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { PollAccess } from './access.ts';
import { checkPollLinks } from './links.ts';
import { checkOption, checkPoll, type OptionInput, type PollRow, refuseClosed } from './rules.ts';
import type { Polls } from './service.ts';
import { deleteVotesFor, recount, updatePoll } from './store.ts';

type Deps = { kernel: Kernel; pollAccess: PollAccess; polls: Polls };
type Answer = { poll_option: PollOption; poll: Poll };
type Need = 'requireUpdate' | 'requireSuggest';
/** The options as they will be, and the one it is about. */
type Change = { options: PollOption[]; option: PollOption };

const find = (row: PollRow, optionId: string): PollOption => {
  const option = row.options.find(({ id }) => id === optionId);
  if (!option) throw new ParleyError('NotFound', `No option ${optionId} in the poll ${row.id}`);
  return option;
};

const added = (row: PollRow, { id = randomUUID(), text }: OptionInput): Change => {
  if (row.options.length >= limits.pollOptions)
    throw invalid('text', `A poll may have ${limits.pollOptions} options`);
  if (row.options.some((option) => option.id === id)) throw invalid('id', 'is taken');
  const option = { id, text: checkOption(row.options, text) };
  return { options: [...row.options, option], option };
};

const reworded = (row: PollRow, { id, text }: { id: string; text?: string }): Change => {
  const known = find(row, id);
  const others = row.options.filter((option) => option !== known);
  const option = { id, text: checkOption(others, text) };
  return { options: row.options.map((each) => (each === known ? option : each)), option };
};

const without = (row: PollRow, optionId: string): Change => {
  const option = find(row, optionId);
  const options = row.options.filter((each) => each !== option);
  checkPoll({ ...row, options });
  return { options, option };
};

/** The options of a poll, one at a time. */
export class PollOptions {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(actor: Actor, pollId: string, input: OptionInput): Promise<Answer> {
    return this.#change(actor, pollId, 'requireSuggest', (row) => added(row, input));
  }

  update(actor: Actor, pollId: string, input: { id: string; text?: string }): Promise<Answer> {
    return this.#change(actor, pollId, 'requireUpdate', (row) => reworded(row, input));
  }

  async get(actor: Actor, pollId: string, optionId: string): Promise<Answer> {
    const { pollAccess, polls } = this.#deps;
    const { row } = await pollAccess.see(actor, pollId);
    return { poll_option: find(row, optionId), poll: await polls.get(actor, pollId) };
  }

  /** Removes an option and the votes for it. */
  remove(actor: Actor, pollId: string, optionId: string): Promise<Answer> {
    return this.#change(actor, pollId, 'requireUpdate', (row) => without(row, optionId));
  }

  async #change(actor: Actor, pollId: string, need: Need, change: (row: PollRow) => Change): Promise<Answer> {
    const { kernel, pollAccess, polls } = this.#deps;
    const found = await pollAccess.see(actor, pollId);
    pollAccess[need](found);
    const option = await kernel.writeFor(actor, async (tx) => {
      const locked = await pollAccess.lockFor(tx, actor, found);
      // Suggestions may have been switched off since, or the actor removed.
      pollAccess[need](locked);
      const { row } = locked;
      refuseClosed(row, tx.now);
      const next = change(row);
      checkPollLinks(locked.place, row, { ...row, options: next.options });
      await updatePoll(tx.db, pollId, { options: JSON.stringify(next.options), updated_at: tx.now });
      if (next.options.length < row.options.length) await deleteVotesFor(tx.db, pollId, [next.option.id]);
      await polls.publish(tx, await recount(tx.db, pollId), 'poll.updated');
      return next.option;
    });
    return { poll_option: option, poll: await polls.get(actor, pollId) };
  }
}
