import { ParleyError, ReactionSchema } from '@parley/protocol';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Database, ReactionsTable } from '../../db/schema.ts';
import { defineFields, idField, numberField, timeField } from '../../query/fields.ts';

export type ReactionRow = Selectable<ReactionsTable>;
type Db = Kysely<Database>;
type Key = Pick<ReactionRow, 'message_id' | 'user_id' | 'type'>;

export const reactionFields = defineFields(
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
    record: ReactionSchema,
  },
);

/** Derived from the reactions that stand, under the lock of the message: exact in any order of writes. */
export const regroup = async (db: Db, messageId: string): Promise<MessageRow> => {
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
    where id = ${messageId} returning ${sql.raw(columnsOf('messages'))}`.execute(db);
  const [row] = rows;
  if (!row) throw new ParleyError('NotFound', `No message ${messageId}`);
  return row;
};

/** The reactions to a message for a query with filters. */
export const selectReactions = (db: Db, messageId: string) =>
  db.selectFrom('reactions').selectAll('reactions').where('reactions.message_id', '=', messageId);

/** The reactions of these people to these messages. */
export const listReactionsAmong = (db: Db, messageIds: string[], userIds: string[]): Promise<ReactionRow[]> =>
  db
    .selectFrom('reactions')
    .selectAll()
    .where('message_id', '=', (eb) => eb.fn('any', [eb.val(messageIds)]))
    .where('user_id', '=', (eb) => eb.fn('any', [eb.val(userIds)]))
    .execute();

/** How many kinds a message has, and how many of them this user gave. */
export const countKinds = async (
  db: Db,
  { message_id, user_id }: Key,
): Promise<{ own: number; all: number }> =>
  db
    .selectFrom('reactions')
    .select((eb) => [
      eb.fn.count<number>('type').filterWhere('user_id', '=', user_id).as('own'),
      eb.fn.count<number>('type').distinct().as('all'),
    ])
    .where('message_id', '=', message_id)
    .executeTakeFirstOrThrow();

/** Undefined when the user has this reaction on the message already. */
export const insertReaction = (
  db: Db,
  key: Key,
  { score, data, now }: { score: number; data: string; now: string },
): Promise<ReactionRow | undefined> =>
  db
    .insertInto('reactions')
    .values({ ...key, score, data, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const insertReactions = (db: Db, rows: Insertable<ReactionsTable>[]): Promise<ReactionRow[]> =>
  db
    .insertInto('reactions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();

export const updateReaction = (
  db: Db,
  { message_id, user_id, type }: Key,
  { score, data, now }: { score: number; data: string; now: string },
): Promise<ReactionRow> =>
  db
    .updateTable('reactions')
    .set({ score, data, updated_at: now })
    .where('message_id', '=', message_id)
    .where('user_id', '=', user_id)
    .where('type', '=', type)
    .returningAll()
    .executeTakeFirstOrThrow();

export const removeReaction = (
  db: Db,
  { message_id, user_id, type }: Key,
): Promise<ReactionRow | undefined> =>
  db
    .deleteFrom('reactions')
    .where('message_id', '=', message_id)
    .where('user_id', '=', user_id)
    .where('type', '=', type)
    .returningAll()
    .executeTakeFirst();

/** All of a user's reactions to a message but one. */
export const removeOtherReactions = (db: Db, { message_id, user_id, type }: Key): Promise<ReactionRow[]> =>
  db
    .deleteFrom('reactions')
    .where('message_id', '=', message_id)
    .where('user_id', '=', user_id)
    .where('type', '!=', type)
    .returningAll()
    .execute();
