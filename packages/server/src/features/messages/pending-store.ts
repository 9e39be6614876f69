import { limits } from '@parley/protocol';
import { type Insertable, type Selectable, sql } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { type AskedFile, findNamedFiles } from '../../db/named-files.ts';
import type { Pools, Statement } from '../../db/pool.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Db, PendingMessagesTable } from '../../db/schema.ts';

export type PendingRow = Selectable<PendingMessagesTable>;

/** Whether the message itself was published. One of another author or channel under the same id, sent at the same moment, is
 * another message: what its author kept back stays theirs. */
const isPublished =
  'exists (select from messages m where m.id = pending_messages.id and m.cid = pending_messages.cid and m.user_id = pending_messages.user_id)';

export const findPending = (db: Db, id: string): Promise<PendingRow | undefined> =>
  db
    .selectFrom('pending_messages')
    .selectAll()
    .where('id', '=', id)
    .where(sql<boolean>`not ${sql.raw(isPublished)}`)
    .executeTakeFirst();

/** Undefined when there is one of this id already. */
export const insertPending = (
  db: Db,
  row: Insertable<PendingMessagesTable>,
): Promise<PendingRow | undefined> =>
  db
    .insertInto('pending_messages')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** False where there is none any more. */
export const deletePending = async (db: Db, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('pending_messages')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};

const pendingOfReader: Statement = {
  name: 'pending-of-reader',
  text: `select ${columnsOf('pending_messages')} from pending_messages where user_id = $1 and cid = any($2::text[])
        and not ${isPublished} order by created_at limit ${limits.pendingShown}`,
};

/** The pending messages of a reader in these channels, oldest first. */
export const listPending = async (pools: Pools, userId: string, cids: string[]): Promise<MessageRow[]> => {
  const rows = await pools.read<PendingRow>(pendingOfReader, [userId, cids]);
  return rows.map((row) => row.draft);
};

/** Those of these files that pending messages carry. */
export const findFilesOfPending = (db: Db, files: AskedFile[]): Promise<string[]> =>
  findNamedFiles(db, files, { table: 'pending_messages', text: sql`input::text`, writer: sql`user_id` });
