import {
  type Message,
  ParleyError,
  type Reaction,
  ReactionInputSchema,
  ReactionSchema,
} from '@parley/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { Database, ReactionsTable } from '../../db/schema.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { customOf, shapeOf } from '../../lib/custom.ts';
import { defineFields, idField, numberField, timeField } from '../../query/fields.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import { lockChannel, requireCapability, requireOn } from '../channels/access.ts';
import { toReaction } from '../messages/hydrate.ts';
import type { MessageRow } from '../messages/record.ts';
import type { Messages } from '../messages/service.ts';
import { lockMessage } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';

type ReactionRow = Selectable<ReactionsTable>;
export type ReactionInput = { type: string; score?: number } & Record<string, unknown>;
export type Reactions = ReturnType<typeof createReactions>;

const shape = shapeOf(ReactionInputSchema, ReactionSchema);

const fields = defineFields(
  {
    type: idField('reactions.type', { sort: { nullable: false } }),
    user_id: idField('reactions.user_id', { sort: { nullable: false } }),
    score: numberField('reactions.score', { sort: { nullable: false } }),
    created_at: timeField('reactions.created_at', { sort: { nullable: false } }),
    key: idField(() => sql`reactions.user_id || '/' || reactions.type`, {
      operators: [],
      sort: { nullable: false },
    }),
  },
  {
    resource: 'reactions',
    tieBreaker: 'key',
    defaultSort: [{ field: 'created_at', direction: -1 }],
    custom: 'reactions.data',
  },
);

/** Derived from the reactions that stand, under the lock of the message: exact in any order of writes. */
const regroup = async (db: Kysely<Database>, messageId: string): Promise<MessageRow> => {
  const time = (column: string) =>
    sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const { rows } = await sql<MessageRow>`
    update messages set reaction_groups = coalesce((
      select jsonb_object_agg(type, jsonb_build_object(
        'count', count, 'sum_scores', sum_scores,
        'first_reaction_at', ${time('first_at')}, 'last_reaction_at', ${time('last_at')}))
      from (
        select type, count(*) as count, sum(score) as sum_scores, min(created_at) as first_at, max(created_at) as last_at
        from reactions where message_id = ${messageId} group by type
      ) g), '{}')
    where id = ${messageId} returning *`.execute(db);
  const [row] = rows;
  if (!row) throw new ParleyError('NotFound', `No message ${messageId}`);
  return row;
};

type Deps = { kernel: Kernel; messages: Messages; users: UserCache };

export const createReactions = ({ kernel, messages, users }: Deps) => {
  const tell = async (tx: Tx, event: string, row: ReactionRow): Promise<MessageRow> => {
    const message = await regroup(tx.db, row.message_id);
    const found = await users.getMany([row.user_id]);
    const user = found.get(row.user_id)?.user;
    await messages.tellOf(tx, event, message, {
      reaction: toReaction(row, found),
      ...(user ? { user } : {}),
    });
    return message;
  };

  const lock = async (tx: Tx, cid: string, messageId: string): Promise<MessageRow> => {
    await lockChannel(tx.db, cid);
    const row = await lockMessage(tx.db, messageId);
    if (!row || row.deleted_at !== null) throw new ParleyError('NotFound', `No message ${messageId}`);
    return row;
  };

  const removeOthers = async (tx: Tx, messageId: string, userId: string, keep: string): Promise<void> => {
    const removed = await tx.db
      .deleteFrom('reactions')
      .where('message_id', '=', messageId)
      .where('user_id', '=', userId)
      .where('type', '!=', keep)
      .returningAll()
      .execute();
    for (const row of removed) await tell(tx, 'reaction.deleted', row);
  };

  const answer = async (
    row: ReactionRow,
    message: MessageRow,
    actor: Actor,
  ): Promise<{ reaction: Reaction; message: Message }> => ({
    reaction: toReaction(row, await users.getMany([row.user_id])),
    message: await messages.one(message, actorId(actor)),
  });

  return {
    async add(actor: Actor, messageId: string, input: ReactionInput, unique: boolean) {
      const user = actingUser(actor);
      const { place } = await messages.find(actor, messageId);
      requireCapability(place, 'send-reaction');
      const data = JSON.stringify(customOf(input, shape, 'reaction'));
      const score = input.score ?? 1;
      const { row, message } = await kernel.write(async (tx) => {
        await lock(tx, place.channel.cid, messageId);
        if (unique) await removeOthers(tx, messageId, user.row.id, input.type);
        const key = { message_id: messageId, user_id: user.row.id, type: input.type };
        const added = await tx.db
          .insertInto('reactions')
          .values({ ...key, score, data, created_at: tx.now, updated_at: tx.now })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        const reaction =
          added ??
          (await tx.db
            .updateTable('reactions')
            .set({ score, data, updated_at: tx.now })
            .where('message_id', '=', messageId)
            .where('user_id', '=', user.row.id)
            .where('type', '=', input.type)
            .returningAll()
            .executeTakeFirstOrThrow());
        return {
          row: reaction,
          message: await tell(tx, added ? 'reaction.new' : 'reaction.updated', reaction),
        };
      });
      return answer(row, message, actor);
    },
    async remove(actor: Actor, messageId: string, type: string) {
      const user = actingUser(actor);
      const { place } = await messages.find(actor, messageId);
      requireOn(place, 'delete-reaction', true);
      const { row, message } = await kernel.write(async (tx) => {
        await lock(tx, place.channel.cid, messageId);
        const removed = await tx.db
          .deleteFrom('reactions')
          .where('message_id', '=', messageId)
          .where('user_id', '=', user.row.id)
          .where('type', '=', type)
          .returningAll()
          .executeTakeFirst();
        if (!removed) throw new ParleyError('NotFound', `No reaction ${type} of yours on this message`);
        return { row: removed, message: await tell(tx, 'reaction.deleted', removed) };
      });
      return answer(row, message, actor);
    },
    async query(actor: Actor, messageId: string, request: PageRequest) {
      await messages.find(actor, messageId);
      const page = await queryPage(
        kernel.db
          .selectFrom('reactions')
          .selectAll('reactions')
          .where('reactions.message_id', '=', messageId),
        request,
        {
          fields,
          context: { actorId: actorId(actor) ?? null },
          cursorKey: kernel.config.apiSecret,
          scope: messageId,
        },
      );
      const found = await users.getMany(page.rows.map((row) => row.user_id));
      return {
        reactions: page.rows.map((row) => toReaction(row, found)),
        ...(page.next === undefined ? {} : { next: page.next }),
      };
    },
  };
};
