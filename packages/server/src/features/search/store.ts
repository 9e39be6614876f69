import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Pools, Statement } from '../../db/pool.ts';
import type { Database } from '../../db/schema.ts';
import {
  boolField,
  defineFields,
  idField,
  type QueryContext,
  relationField,
  timeField,
} from '../../query/fields.ts';
import type { FilterNode } from '../../query/filter.ts';
import { compileFilter } from '../../query/filter-sql.ts';

/** The words of the index: without them PostgreSQL does not use it. */
const words = sql`to_tsvector('simple', messages.text)`;

export const searchFields = defineFields<QueryContext>(
  {
    id: idField('messages.id', { sort: { nullable: false } }),
    cid: idField('messages.cid'),
    user_id: idField('messages.user_id'),
    parent_id: idField('messages.parent_id'),
    created_at: timeField('messages.created_at', { sort: { nullable: false } }),
    has_attachment: boolField(sql`(messages.attachments <> '[]')`),
    has_link: boolField(sql`(messages.text ~* 'https?://')`),
    pinned: boolField(sql`(messages.pinned_at is not null)`),
    attachment_type: relationField<QueryContext>({
      operators: { $eq: 'text', $in: 'text[]' },
      compile: (operator, value) =>
        sql<SqlBool>`exists (select 1 from jsonb_array_elements(messages.attachments) part
          where part ->> 'type' = any(${operator === '$in' ? value : [value]}::text[]))`,
    }),
    mentioned_user_id: relationField<QueryContext>({
      operators: { $eq: 'id' },
      compile: (_operator, value) => sql<SqlBool>`(messages.mentioned @> ${JSON.stringify([value])}::jsonb)`,
    }),
  },
  { resource: 'search', tieBreaker: 'id', defaultSort: [{ field: 'created_at', direction: -1 }] },
);

const parseWords: Statement = {
  name: 'search-words',
  text: "select websearch_to_tsquery('simple', $1)::text as words",
};

/** The query as PostgreSQL reads it, whatever operators stand in it; empty when it holds no word. A word that is still
 * being typed matches as a prefix. */
export const readWords = async (pools: Pools, query: string): Promise<string> => {
  const [row] = await pools.read<{ words: string }>(parseWords, [query]);
  const text = row?.words ?? '';
  const isOpen = text.endsWith("'") && /[\p{L}\p{N}]$/u.test(query);
  return isOpen ? `${text}:*` : text;
};

const cidsOfUser: Statement = { name: 'search-cids', text: 'select cid from members where user_id = $1' };

export const listCids = async (pools: Pools, userId: string): Promise<string[]> =>
  (await pools.read<{ cid: string }>(cidsOfUser, [userId])).map(({ cid }) => cid);

/** Channels by membership and by type; `undefined` is everything, for the server. */
export type Reach = { cids: string[]; openTypes: string[] } | undefined;

const within = (reach: Reach): RawBuilder<SqlBool> => {
  if (!reach) return sql<SqlBool>`true`;
  const own = sql<SqlBool>`messages.cid = any(${reach.cids}::text[])`;
  if (reach.openTypes.length === 0) return own;
  return sql<SqlBool>`(${own} or split_part(messages.cid, ':', 1) = any(${reach.openTypes}::text[]))`;
};

export type Spot = { created_at: string; id: string };
export type Candidate = Spot & { cid: string; score: number };
export type Search = {
  /** A tsquery, or empty for a search by filters alone. */
  words: string;
  filter: FilterNode<QueryContext>;
  reach: Reach;
  context: QueryContext;
};
/** Newest first from `top` down; `under` leaves out the spot itself. */
export type Range = { top?: Spot | undefined; under?: boolean; bottom?: Spot | undefined; most: number };

const bound = (operator: string, spot: Spot) =>
  sql`(messages.created_at, messages.id) ${sql.raw(operator)} (${spot.created_at}::timestamptz, ${spot.id}::text)`;

const rankOf = (words: RawBuilder<unknown>, query: string) =>
  query === '' ? sql`0::float8` : sql`ts_rank_cd(${words}, ${query}::tsquery, 1)::float8`;

export const candidateQuery = (search: Search, { top, under = false, bottom, most }: Range) => {
  const conditions = [
    sql`messages.deleted_at is null`,
    sql`messages.type in ('regular', 'reply', 'system')`,
    within(search.reach),
    compileFilter(search.filter, search.context),
    ...(search.words === '' ? [] : [sql`${words} @@ ${search.words}::tsquery`]),
    ...(top ? [bound(under ? '<' : '<=', top)] : []),
    ...(bottom ? [bound('>=', bottom)] : []),
  ];
  return sql<Candidate>`
    select found.id, found.cid, found.created_at, ${rankOf(sql`to_tsvector('simple', found.text)`, search.words)} as score
    from (
      select messages.id, messages.cid, messages.created_at, messages.text from messages
      where ${sql.join(conditions, sql` and `)}
      order by messages.created_at desc, messages.id desc limit ${most}
    ) found order by found.created_at desc, found.id desc`;
};

/** Never through a prepared statement: the good plan differs with how common a word is. */
export const findCandidates = async (
  db: Kysely<Database>,
  pools: Pools,
  search: Search,
  range: Range,
): Promise<Candidate[]> => {
  const { sql: text, parameters } = candidateQuery(search, range).compile(db);
  return (await pools.pool.query<Candidate>(text, [...parameters])).rows;
};
