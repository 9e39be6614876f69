import type { Insertable } from 'kysely';
import type { Db, MessageHistoryTable } from '../../db/schema.ts';
import { defineFields, idField, numberField, timeField } from '../../query/fields.ts';

export const historyFields = defineFields(
  {
    message_id: idField('message_history.message_id'),
    message_updated_by_id: idField('message_history.updated_by'),
    message_updated_at: timeField('message_history.updated_at', { sort: { nullable: false } }),
    id: numberField('message_history.id', { operators: [], sort: { nullable: false } }),
  },
  {
    resource: 'message_history',
    tieBreaker: 'id',
    defaultSort: [{ field: 'message_updated_at', direction: -1 }],
  },
);

export const insertVersion = async (db: Db, version: Insertable<MessageHistoryTable>): Promise<void> => {
  await db.insertInto('message_history').values(version).execute();
};

/** The versions of a message for a query with filters. */
export const selectVersions = (db: Db, messageId: string) =>
  db.selectFrom('message_history').selectAll('message_history').where('message_id', '=', messageId);
