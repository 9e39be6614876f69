import {
  invalid,
  limits,
  type Message,
  ParleyError,
  type Reaction,
  ReactionInputSchema,
  ReactionSchema,
} from '@parley/protocol';
import { checkLinks } from '../../access/links.ts';
import { lockChannel, requireCapability, requireOn } from '../../access/place.ts';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { customOf, shapeOf } from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import { lockActor } from '../members/lock-actor.ts';
import { toReaction } from '../messages/hydrate.ts';
import type { Messages } from '../messages/service.ts';
import { lockMessage } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';
import {
  countKinds,
  insertReaction,
  insertReactions,
  type ReactionRow,
  reactionFields,
  regroup,
  removeOtherReactions,
  removeReaction,
  selectReactions,
  updateReaction,
} from './store.ts';

export type ReactionInput = { type: string; score?: number } & Record<string, unknown>;

export type ImportedReaction = { userId: string; type: string; at: string };

const shape = shapeOf(ReactionInputSchema, ReactionSchema);

type Deps = { kernel: Kernel; messages: Messages; users: UserCache };
type Change = { row: ReactionRow; message: MessageRow; seq: number };
type Answer = { reaction: Reaction; message: Message; seq: number };

const lockReactedTo = async (tx: Tx, messageId: string): Promise<void> => {
  const row = await lockMessage(tx.db, messageId);
  if (!row || row.deleted_at !== null) throw new ParleyError('NotFound', `No message ${messageId}`);
};

/** Every kind is part of the message that everyone gets: without a bound one person makes it as large as they like. */
const refuseTooMany = async (
  tx: Tx,
  key: Pick<ReactionRow, 'message_id' | 'user_id' | 'type'>,
): Promise<void> => {
  const { own, all } = await countKinds(tx.db, key);
  if (own > limits.reactionKindsPerUser)
    throw invalid('reaction.type', `at most ${limits.reactionKindsPerUser} kinds of reactions a person`);
  if (all > limits.reactionKindsPerMessage)
    throw invalid(
      'reaction.type',
      `at most ${limits.reactionKindsPerMessage} kinds of reactions on a message`,
    );
};

export class Reactions {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async add(actor: Actor, messageId: string, input: ReactionInput, unique: boolean): Promise<Answer> {
    const user = actingUser(actor);
    const { place } = await this.#deps.messages.see(actor, messageId);
    requireCapability(place, 'send-reaction');
    const key = { message_id: messageId, user_id: user.row.id, type: input.type };
    const custom = customOf(input, shape, 'reaction');
    checkLinks(place, input.type, custom);
    const data = JSON.stringify(custom);
    const change = await this.#deps.kernel.writeFor(actor, async (tx) => {
      requireCapability((await lockActor(tx, place, actor)).place, 'send-reaction');
      await lockReactedTo(tx, messageId);
      if (unique)
        for (const other of await removeOtherReactions(tx.db, key))
          await this.#publish(tx, 'reaction.deleted', other);
      const values = { score: input.score ?? 1, data, now: tx.now };
      const added = await insertReaction(tx.db, key, values);
      if (added) await refuseTooMany(tx, key);
      const row = added ?? (await updateReaction(tx.db, key, values));
      return this.#publish(tx, added ? 'reaction.new' : 'reaction.updated', row);
    });
    return this.#answer(actor, change);
  }

  /** Imports reactions of another system, all at once: one event is published for the last. */
  async importMany(cid: string, messageId: string, list: ImportedReaction[]): Promise<void> {
    if (list.length === 0) return;
    await this.#deps.kernel.write(async (tx) => {
      await lockChannel(tx.db, cid);
      await lockReactedTo(tx, messageId);
      const rows = list.map(({ userId, type, at }) => ({
        message_id: messageId,
        user_id: userId,
        type,
        score: 1,
        data: '{}',
        created_at: at,
        updated_at: at,
      }));
      const last = (await insertReactions(tx.db, rows)).at(-1);
      if (last) await this.#publish(tx, 'reaction.new', last);
    });
  }

  async remove(actor: Actor, messageId: string, type: string): Promise<Answer> {
    const user = actingUser(actor);
    const { place } = await this.#deps.messages.find(actor, messageId);
    requireOn(place, 'delete-reaction', true);
    const change = await this.#deps.kernel.writeFor(actor, async (tx) => {
      requireOn((await lockActor(tx, place, actor)).place, 'delete-reaction', true);
      await lockReactedTo(tx, messageId);
      const row = await removeReaction(tx.db, { message_id: messageId, user_id: user.row.id, type });
      if (!row) throw new ParleyError('NotFound', `No reaction ${type} of yours on this message`);
      return this.#publish(tx, 'reaction.deleted', row);
    });
    return this.#answer(actor, change);
  }

  async query(actor: Actor, messageId: string, request: PageRequest) {
    const { kernel, messages, users } = this.#deps;
    await messages.see(actor, messageId);
    const page = await queryPage(selectReactions(kernel.pools.queries, messageId), request, {
      fields: reactionFields,
      context: { actorId: actorId(actor) ?? null },
      cursorKey: kernel.config.apiSecret,
      scope: messageId,
    });
    const found = await users.getMany(
      kernel.db,
      page.rows.map((row) => row.user_id),
    );
    return {
      reactions: page.rows.map((row) => toReaction(row, found)),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }

  async #publish(tx: Tx, type: string, row: ReactionRow): Promise<Change> {
    const message = await regroup(tx.db, row.message_id);
    const found = await this.#deps.users.getMany(tx.db, [row.user_id]);
    const user = found.get(row.user_id)?.user;
    const fields = { reaction: toReaction(row, found), ...(user ? { user } : {}) };
    await this.#deps.messages.publishEvent(tx, { type, row: message, fields });
    return { row, message, seq: tx.seqs.get(message.cid) ?? 0 };
  }

  async #answer(actor: Actor, { row, message, seq }: Change): Promise<Answer> {
    const { kernel, messages, users } = this.#deps;
    return {
      seq,
      reaction: toReaction(row, await users.getMany(kernel.db, [row.user_id])),
      message: await messages.one(message, actorId(actor)),
    };
  }
}
