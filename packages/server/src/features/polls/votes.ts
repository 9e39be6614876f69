import { invalid, ParleyError, pollOptionKey } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { checkLinks } from '../../access/links.ts';
import { membershipCheckOf } from '../../access/membership-check.ts';
import { isCleared, requireCapability } from '../../access/place.ts';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import { ReadyJson } from '../../http/ready-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLru } from '../../lib/lru.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { Lane } from '../../work/lane.ts';
import { findMessage } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';
import type { PollAccess } from './access.ts';
import type { PollPublisher } from './publishing.ts';
import type { PollReader } from './reader.ts';
import { toOwnVote, toVote } from './record.ts';
import { selectVotes, voteFields } from './store.ts';
import type { Ask, Cast } from './vote-batch.ts';

export type VoteInput = { option_id?: string; answer_text?: string };
export type PollPlace = { messageId: string; pollId: string };

type Deps = {
  kernel: Kernel;
  access: Access;
  pollAccess: PollAccess;
  users: UserCache;
  reader: PollReader;
  lane: Lane<Ask, Cast>;
  publisher: PollPublisher;
};

/** Where a message is and when it was sent never changes. */
type Sent = { cid: string; created_at: string };

const kindOf = ({ option_id, answer_text }: VoteInput) => {
  if (option_id !== undefined && answer_text !== undefined)
    throw invalid('vote.answer_text', 'a vote is for an option or an answer, not both');
  if (option_id !== undefined) return { kind: 'option' as const, optionId: option_id };
  if (answer_text === undefined) throw invalid('vote.option_id', 'is required');
  if (pollOptionKey(answer_text) === '') throw invalid('vote.answer_text', 'An answer must have text');
  return { kind: 'answer' as const, text: answer_text.trim() };
};

/** Casts votes, takes them back, and lists them. */
export class PollVotes {
  #deps: Deps;
  #sent = createLru<Sent>(10_000);
  /** The texts of the polls of a batch: those who voted at once share them. */
  #texts = new WeakMap<Cast['polls'], Promise<Map<string, string>>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The same vote again gives the one that stands, with 200. */
  async cast(actor: Actor, { messageId, pollId }: PollPlace, input: VoteInput): Promise<ReadyJson> {
    const userId = actingUser(actor).row.id;
    const entered = await this.#enter(actor, messageId, input.answer_text);
    return this.#settle({ messageId, pollId, userId, ...entered, ...kindOf(input) }, 201);
  }

  async takeBack(actor: Actor, { messageId, pollId }: PollPlace, voteId: string): Promise<ReadyJson> {
    const userId = actingUser(actor).row.id;
    const entered = await this.#enter(actor, messageId);
    return this.#settle({ messageId, pollId, userId, ...entered, kind: 'back', voteId }, 200);
  }

  async query(actor: Actor, pollId: string, request: PageRequest) {
    const { kernel, pollAccess, users } = this.#deps;
    const { row: poll } = await pollAccess.see(actor, pollId);
    const viewerId = actorId(actor);
    const page = await queryPage(selectVotes(kernel.pools.queries, pollId), request, {
      fields: voteFields[poll.voting_visibility],
      context: { actorId: viewerId ?? null },
      cursorKey: kernel.config.apiSecret,
      scope: pollId,
    });
    const found = await users.getMany(
      kernel.db,
      page.rows.map((row) => row.user_id),
    );
    return {
      votes: page.rows.map((row) => ({
        ...toVote(row, poll, found),
        ...(row.user_id === viewerId ? toOwnVote(row) : {}),
      })),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }

  async #enter(
    actor: Actor,
    messageId: string,
    answer?: string,
  ): Promise<Pick<Ask, 'cid' | 'membershipCheck'>> {
    const { kernel, access } = this.#deps;
    const sent = this.#sent.get(messageId) ?? (await findMessage(kernel.db, messageId));
    if (!sent) throw new ParleyError('NotFound', `No message ${messageId}`);
    const { cid, created_at } = sent;
    this.#sent.set(messageId, { cid, created_at });
    const place = await access.enter(actor, cid);
    if (isCleared(place, sent)) throw new ParleyError('NotFound', `No message ${messageId}`);
    requireCapability(place, 'cast-poll-vote');
    if (answer !== undefined) checkLinks(place, answer);
    return { cid, membershipCheck: membershipCheckOf(actor, place, 'cast-poll-vote') };
  }

  async #settle(ask: Ask, status: number): Promise<ReadyJson> {
    const { kernel, lane, publisher } = this.#deps;
    const { cid } = ask;
    const cast = await lane.ask(ask);
    if (cast.type !== undefined) publisher.touch(ask.pollId, cid, { type: cast.type, vote: cast.vote });
    // A repeat notifies, too: the answer of the commit that stored the vote may have been lost, and with it this event.
    const fields = { poll_id: ask.pollId, message_id: ask.messageId, own_votes: cast.own };
    kernel.notify([ask.userId], 'notification.poll_own_votes', fields, cid);
    return new ReadyJson(await this.#answer(cast), cast.type === undefined ? 200 : status);
  }

  async #answer({ poll, vote, own, polls }: Cast): Promise<string> {
    const text = (await this.#textsOf(polls)).get(poll.id) ?? '{}';
    return `{"vote":${JSON.stringify(toOwnVote(vote))},"poll":{"own_votes":${JSON.stringify(own)},${text.slice(1)}}`;
  }

  #textsOf(polls: Cast['polls']): Promise<Map<string, string>> {
    const known = this.#texts.get(polls);
    if (known) return known;
    const { kernel, reader } = this.#deps;
    const texts = reader
      .read(kernel.db, polls)
      .then((read) => new Map([...read.polls].map(([id, poll]) => [id, JSON.stringify(poll)])));
    this.#texts.set(polls, texts);
    return texts;
  }
}
