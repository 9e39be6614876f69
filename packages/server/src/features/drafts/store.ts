import { type Kysely, type Selectable, sql } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { type AskedFile, findNamedFiles } from '../../db/named-files.ts';
import type { Pools } from '../../db/pool.ts';
import type { Database, DraftsTable } from '../../db/schema.ts';
import { defineFields, idField, textField, timeField } from '../../query/fields.ts';

type Db = Kysely<Database>;
export type DraftRow = Selectable<DraftsTable>;
/** The owner and the place of a draft; `parent_id` is empty for the channel itself. */
export type DraftKey = Pick<DraftRow, 'user_id' | 'cid' | 'parent_id'>;
export type DraftContent = Pick<
  DraftRow,
  'text' | 'attachments' | 'mentioned' | 'quoted_message_id' | 'data'
>;

export const draftFields = defineFields(
  {
    cid: idField('drafts.cid'),
    parent_id: idField(() => sql`nullif(drafts.parent_id, '')`),
    text: textField('drafts.text'),
    created_at: timeField('drafts.created_at', { sort: { nullable: false } }),
    updated_at: timeField('drafts.updated_at', { sort: { nullable: false } }),
    key: idField(() => sql`drafts.cid || '/' || drafts.parent_id`, {
      operators: [],
      sort: { nullable: false },
    }),
  },
  { resource: 'drafts', tieBreaker: 'key', defaultSort: [{ field: 'updated_at', direction: -1 }] },
);

/** All drafts of a user, also those of deleted channels: the text is theirs. */
export const ownDrafts = (db: Db, userId: string) =>
  db.selectFrom('drafts').selectAll('drafts').where('drafts.user_id', '=', userId);

const at = (db: Db, { user_id, cid, parent_id }: DraftKey) =>
  db
    .selectFrom('drafts')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('cid', '=', cid)
    .where('parent_id', '=', parent_id);

export const findDraft = (db: Db, key: DraftKey): Promise<DraftRow | undefined> =>
  at(db, key).executeTakeFirst();

/** The drafts of channels, without those of their threads. */
export const listChannelDrafts = (pools: Pools, userId: string, cids: string[]): Promise<DraftRow[]> =>
  pools.read<DraftRow>(
    {
      name: 'drafts-of-channels',
      text: `select ${columnsOf('drafts')} from drafts where user_id = $1 and cid = any($2::text[]) and parent_id = ''`,
    },
    [userId, cids],
  );

/** One statement, so of two devices that write at once only one finds the version it knew. Undefined: another came first. */
export const saveDraft = async (
  db: Db,
  key: DraftKey,
  content: DraftContent,
  { version, now }: { version: number | undefined; now: string },
): Promise<DraftRow | undefined> => {
  const { rows } = await sql<DraftRow>`
    insert into drafts (user_id, cid, parent_id, text, attachments, mentioned, quoted_message_id, data,
      version, created_at, updated_at)
    values (${key.user_id}, ${key.cid}, ${key.parent_id}, ${content.text}, ${JSON.stringify(content.attachments)},
      ${JSON.stringify(content.mentioned)}, ${content.quoted_message_id}, ${JSON.stringify(content.data)},
      nextval('draft_versions'), ${now}, ${now})
    on conflict (user_id, cid, parent_id) do update set
      text = excluded.text, attachments = excluded.attachments, mentioned = excluded.mentioned,
      quoted_message_id = excluded.quoted_message_id, data = excluded.data,
      version = excluded.version, updated_at = excluded.updated_at
    where ${version ?? null}::bigint is null or drafts.version = ${version ?? null}::bigint
    returning ${sql.raw(columnsOf('drafts'))}`.execute(db);
  return rows[0];
};

export const removeDraft = (
  db: Db,
  { user_id, cid, parent_id }: DraftKey,
  version: number | undefined,
): Promise<DraftRow | undefined> =>
  db
    .deleteFrom('drafts')
    .where('user_id', '=', user_id)
    .where('cid', '=', cid)
    .where('parent_id', '=', parent_id)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst();

/** Those of these files that drafts carry. */
export const findFilesOfDrafts = (db: Db, files: AskedFile[]): Promise<string[]> =>
  findNamedFiles(db, files, {
    table: 'drafts',
    text: sql`attachments::text || data::text`,
    writer: sql`user_id`,
  });
