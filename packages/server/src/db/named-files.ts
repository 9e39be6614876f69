import { type RawBuilder, sql } from 'kysely';
import type { Database, Db } from './schema.ts';

/** A file that a feature is asked about. With `writer`, only texts that this user wrote count. */
export type AskedFile = { id: string; writer: string | null };

/** The texts of a table that may name files by their URLs. `text` must be the expression of the table's index on `named_files`:
 * otherwise the cost grows with all rows of the table. */
type NamingTexts = { table: keyof Database; text: RawBuilder<unknown>; writer: RawBuilder<unknown> };

/** The ids of those files that the texts name. */
export const findNamedFiles = async (
  db: Db,
  files: AskedFile[],
  { table, text, writer }: NamingTexts,
): Promise<string[]> => {
  const ids = files.map(({ id }) => id);
  const { rows } = await sql<{ file_id: string }>`
    select distinct asked.file_id from ${sql.table(table)}
    join unnest(${ids}::text[], ${files.map((file) => file.writer)}::text[]) as asked (file_id, only_by)
      on asked.file_id = any(named_files(${text})) and (asked.only_by is null or asked.only_by = ${writer})
    where ${text} like '%/files/%' and named_files(${text}) && ${ids}::text[]`.execute(db);
  return rows.map(({ file_id }) => file_id);
};
