import type { Insertable, Selectable, Updateable } from 'kysely';
import type { ChannelTypesTable, Db } from '../../db/schema.ts';

export type ChannelTypeRow = Selectable<ChannelTypesTable>;

export const listTypes = (db: Db): Promise<ChannelTypeRow[]> =>
  db.selectFrom('channel_types').selectAll().orderBy('name').execute();

export const lockType = (db: Db, name: string): Promise<ChannelTypeRow | undefined> =>
  db.selectFrom('channel_types').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

/** Undefined when there is one of this name already. */
export const insertType = (db: Db, row: Insertable<ChannelTypesTable>): Promise<ChannelTypeRow | undefined> =>
  db
    .insertInto('channel_types')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateType = (
  db: Db,
  name: string,
  values: Updateable<ChannelTypesTable>,
): Promise<ChannelTypeRow> =>
  db
    .updateTable('channel_types')
    .set(values)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteType = async (db: Db, name: string): Promise<void> => {
  await db.deleteFrom('channel_types').where('name', '=', name).execute();
};

/** Whether there are channels of the type. */
export const isTypeInUse = async (db: Db, name: string): Promise<boolean> => {
  const channel = await db.selectFrom('channels').select('cid').where('type', '=', name).executeTakeFirst();
  return channel !== undefined;
};
