import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import type { FilesTable } from '../../db/file-tables.ts';
import type { Database } from '../../db/schema.ts';
import type { FileRow } from './record.ts';

type Db = Kysely<Database>;

export const insertFile = async (db: Db, file: Insertable<FilesTable>): Promise<void> => {
  await db.insertInto('files').values(file).execute();
};

export const findFile = (db: Db, id: string): Promise<FileRow | undefined> =>
  db.selectFrom('files').selectAll().where('id', '=', id).where('state', '=', 'ready').executeTakeFirst();

export const findFiles = (db: Db, ids: string[]): Promise<FileRow[]> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .where('state', '=', 'ready')
    .execute();

export const findByUploadId = (db: Db, userId: string, uploadId: string): Promise<FileRow | undefined> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('user_id', '=', userId)
    .where('upload_id', '=', uploadId)
    .where('state', '=', 'ready')
    .executeTakeFirst();

/** Keeps files that are about to be attached from the collector, and returns the ids of those that are still there.
 * Call it only for files that the actor may attach. The uploader's own (`own`) are private from here on; only for those the
 * removal that follows a deleted message is called off. */
export const touchFiles = async (
  db: Db,
  ids: string[],
  { own, now }: { own: string[]; now: string },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    update files set used_at = ${now},
      was_attached = was_attached or id = any(${own}),
      unlinked_at = case when id = any(${own}) then null else unlinked_at end
    where id = any(${ids}) and state = 'ready' returning id`.execute(db);
  return rows.map(({ id }) => id);
};

export const sumBytes = async (db: Db, userId: string): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from files where user_id = ${userId} and state = 'ready'`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
};

/** Ends the receiving of a file. Undefined when its user would then have more than they may. */
export const finishFile = (
  db: Db,
  row: { id: string; userId: string; size: number },
  values: Updateable<FilesTable>,
  mostBytes: number,
): Promise<FileRow | undefined> =>
  db.transaction().execute(async (trx) => {
    // One at a time per user, or two uploads at once would each see room for itself.
    if (mostBytes > 0) {
      await sql`select pg_advisory_xact_lock(7236842, hashtext(${row.userId}))`.execute(trx);
      if ((await sumBytes(trx, row.userId)) + row.size > mostBytes) return undefined;
    }
    return trx
      .updateTable('files')
      .set({ ...values, size: row.size, state: 'ready' })
      .where('id', '=', row.id)
      .where('state', '!=', 'removing')
      .returningAll()
      .executeTakeFirst();
  });

/** Takes a file out of use; its bytes go next. */
export const markRemoving = async (db: Db, id: string, leasedUntil: string): Promise<void> => {
  await db
    .updateTable('files')
    .set({ state: 'removing', leased_until: leasedUntil })
    .where('id', '=', id)
    .execute();
};

/** Takes what is left of an upload out of use. False for one that was stored whole after all. */
export const markUnfinished = async (db: Db, id: string, leasedUntil: string): Promise<boolean> => {
  await db
    .updateTable('files')
    .set({ state: 'removing', leased_until: leasedUntil })
    .where('id', '=', id)
    .where('state', '!=', 'ready')
    .execute();
  return (await findFile(db, id)) === undefined;
};

export type ClaimedFile = Pick<FileRow, 'id' | 'state' | 'user_id' | 'was_attached'>;
type Claim = { now: string; leasedUntil: string; unusedSince: string; most: number };

/** Claims files that no message carries: half received, unused since a time, of messages that are gone, or deleted but still
 * stored. Of several servers one gets each; when that server dies, another claims the file once the lease is over. */
export const claimFiles = async (
  db: Db,
  { now, leasedUntil, unusedSince, most }: Claim,
): Promise<ClaimedFile[]> => {
  const { rows } = await sql<ClaimedFile>`
    update files set leased_until = ${leasedUntil} where id in (
      select id from files
      where (not linked or state <> 'ready')
        and (state = 'removing' or (state = 'ready' and unlinked_at is not null) or used_at < ${unusedSince})
        and (leased_until is null or leased_until < ${now})
      order by used_at limit ${most} for update skip locked
    ) returning id, state, user_id, was_attached`.execute(db);
  return rows;
};

/** Ends the claim of files that are still named. */
export const keepFiles = async (db: Db, ids: string[], now: string): Promise<void> => {
  await sql`update files set used_at = ${now}, unlinked_at = null, leased_until = null
    where id = any(${ids})`.execute(db);
};

/** Takes a claimed file out of use. False for one that was named or attached since it was claimed: the statement looks again
 * under the lock of the row. */
export const markUnneeded = async (db: Db, id: string, unusedSince: string): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update files set state = 'removing' where id = ${id}
      and (state <> 'ready' or (not linked and (unlinked_at is not null or used_at < ${unusedSince})))`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
};

export const deleteFile = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('files').where('id', '=', id).execute();
};

/** The channels in which messages carry the file now, with the newest of them. The link of a file that was edited out stays,
 * as earlier versions of the message name it; it shows the file to nobody. */
export const listPlaces = async (db: Db, id: string): Promise<{ cid: string; created_at: string }[]> => {
  const { rows } = await sql<{ cid: string; created_at: string }>`
    select file_links.cid, max(messages.created_at) as created_at from file_links
    join messages on messages.id = file_links.message_id
    join channels on channels.cid = messages.cid and channels.emptied_seq < messages.seq
    where file_links.file_id = ${id} and messages.deleted_at is null
      and position(${`/files/${id}/`} in messages.attachments::text) > 0
    group by file_links.cid limit 100`.execute(db);
  return rows;
};
