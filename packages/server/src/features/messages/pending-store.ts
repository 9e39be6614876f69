import { limits } from '@parley/protocol';
import { type Insertable, type Selectable, sql } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { type AskedFile, findNamedFiles } from '../../db/named-files.ts';
import type { Pools, Statement } from '../../db/pool.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Db, PendingMessagesTable } from '../../db/schema.ts';

export type PendingRow = Selectable<PendingMessagesTable>;

export const findPending = (db: Db, id: string): Promise<PendingRow | undefined> =>
  db.selectFrom('pending_messages').selectAll().where('id', '=', id).executeTakeFirst();

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

export const deletePending = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('pending_messages').where('id', '=', id).execute();
};

const pendingOfReader: Statement = {
  name: 'pending-of-reader',
  text: `select ${columnsOf('pending_messages', 'p')} from pending_messages p where user_id = $1 and cid = any($2::text[])
        and not exists (select from messages m where m.id = p.id) order by created_at limit ${limits.pendingShown}`,
};

/** The pending messages of a reader in these channels, oldest first. */
export const listPending = async (pools: Pools, userId: string, cids: string[]): Promise<MessageRow[]> => {
  const rows = await pools.read<PendingRow>(pendingOfReader, [userId, cids]);
  return rows.map((row) => row.draft);
};

/** Which of these files pending messages carry. */
export const findFilesOfPending = (db: Db, files: AskedFile[]): Promise<string[]> =>
  findNamedFiles(db, files, { table: 'pending_messages', text: sql`input::text`, writer: sql`user_id` });
