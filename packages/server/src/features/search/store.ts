import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Pools, Statement } from '../../db/pool.ts';
import type { Kernel } from '../../kernel/kernel.ts';
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
import { fileMark, linkMark } from './tokens.ts';

const marked = (mark: string) => sql`(w.words @@ ${`'${mark}'`}::tsquery)`;
/** A column of the message itself, for filters that its words do not answer. */
const ofMessage = (column: string) =>
  sql`(select ${sql.ref(`m.${column}`)} from messages m where m.id = w.message_id)`;

export const searchFields = defineFields<QueryContext>(
  {
    id: idField('w.message_id', { sort: { nullable: false } }),
    cid: idField('w.cid'),
    user_id: idField('w.user_id'),
    parent_id: idField(ofMessage('parent_id')),
    created_at: timeField('w.created_at', { sort: { nullable: false } }),
    has_attachment: boolField(marked(fileMark)),
    has_link: boolField(marked(linkMark)),
    pinned: boolField(sql`(${ofMessage('pinned_at')} is not null)`),
    attachment_type: relationField<QueryContext>({
      operators: { $eq: 'text', $in: 'text[]' },
      compile: (operator, value) =>
        sql<SqlBool>`(${marked(fileMark)} and exists (
          select 1 from messages m, jsonb_array_elements(m.attachments) part
          where m.id = w.message_id and part ->> 'type' = any(${operator === '$in' ? value : [value]}::text[])))`,
    }),
    mentioned_user_id: relationField<QueryContext>({
      operators: { $eq: 'id' },
      compile: (_operator, value) =>
        sql<SqlBool>`exists (select 1 from messages m
          where m.id = w.message_id and m.mentioned @> ${JSON.stringify([value])}::jsonb)`,
    }),
  },
  { resource: 'search', tieBreaker: 'id', defaultSort: [{ field: 'created_at', direction: -1 }] },
);

const cidsOfUser: Statement = { name: 'search-cids', text: 'select cid from members where user_id = $1' };

export const listCids = async (pools: Pools, userId: string): Promise<string[]> =>
  (await pools.read<{ cid: string }>(cidsOfUser, [userId])).map(({ cid }) => cid);

/** Channels by membership and by type; `undefined` is everything, for the server. */
export type Reach = { cids: string[]; openTypes: string[] } | undefined;

const within = (reach: Reach): RawBuilder<SqlBool> => {
  if (!reach) return sql<SqlBool>`true`;
  const own = sql<SqlBool>`w.cid = any(${reach.cids}::text[])`;
  if (reach.openTypes.length === 0) return own;
  return sql<SqlBool>`(${own} or split_part(w.cid, ':', 1) = any(${reach.openTypes}::text[]))`;
};

export type Spot = { created_at: string; id: string };
export type Hit = Spot & { cid: string; score: number; isCut: boolean };
export type Search = {
  /** A tsquery, or empty for a search by filters alone. */
  words: string;
  /** The matches of this one are ranked however old they are. */
  best: string | undefined;
  filter: FilterNode<QueryContext>;
  reach: Reach;
  context: QueryContext;
  /** Messages newer than the first page are left out of the pages that follow. */
  top: Spot;
  /** The words are rare: all that match are read by the index. Else the newest messages are read until enough match. */
  isRare: boolean;
  isBestRare: boolean;
};

/** Matches that are read by the index, about a microsecond each. Of words that stand side by side only few of those
 * that hold them match, so reading the newest would be long. */
const rareWords = 5000;
const rarePhrase = 20_000;
/** Ranked are these many newest matches: what a search costs has a bound however common the word. */
const mostRanked = (isRare: boolean): number => (isRare ? 1000 : 150);
const mostBest = 100;

const isPhrase = (query: string): boolean => query.includes('<->');

/** Runs a query without a prepared statement: the good plan differs with how common a word is. */
const run = async <Row extends object>({ db, pools }: Kernel, query: RawBuilder<Row>): Promise<Row[]> => {
  const { sql: text, parameters } = query.compile(db);
  return pools.search<Row>(text, [...parameters]);
};

type Plan = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] };

/** Whether few messages hold the words, by PostgreSQL's statistics of them. */
export const areRare = async (kernel: Kernel, words: string): Promise<boolean> => {
  if (words === '') return false;
  const [plan] = await run(
    kernel,
    sql<Plan>`explain (format json) select from message_words w where w.words @@ ${sql.lit(words)}::tsquery`,
  );
  const rows = plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  return rows <= (isPhrase(words) ? rarePhrase : rareWords);
};

const bound = (operator: string, spot: Spot) =>
  sql`(w.created_at, w.message_id) ${sql.raw(operator)} (${spot.created_at}::timestamptz, ${spot.id}::text)`;

/** `is true` keeps PostgreSQL from the index of words, whose cost for common ones it takes for smaller than it is. */
const holds = (words: string, isRare: boolean) =>
  isRare ? sql`w.words @@ ${words}::tsquery` : sql`(w.words @@ ${words}::tsquery) is true`;

const columns = sql`w.message_id, w.cid, w.created_at, w.words`;

type Matching = { words: string; isRare: boolean; under?: Spot | undefined };

const matches = ({ reach, filter, context, top }: Search, { words, isRare, under }: Matching) => {
  const conditions = [
    within(reach),
    compileFilter(filter, context),
    under ? bound('<', under) : bound('<=', top),
    ...(words === '' ? [] : [holds(words, isRare)]),
  ];
  return sql`select ${columns} from message_words w where ${sql.join(conditions, sql` and `)}`;
};

const newestFirst = sql`order by w.created_at desc, w.message_id desc`;

/** The newest matches. For rare words all matches are read and then sorted. */
const newest = (search: Search, matching: Matching, most: number, skip = 0) => {
  const all = matches(search, matching);
  const part = sql`${newestFirst} limit ${most} offset ${skip}`;
  if (!matching.isRare) return sql`${all} ${part}`;
  return sql`with matches as materialized (${all}) select ${columns} from matches w ${part}`;
};

/** Common words that stand side by side are looked for only among the newest. */
const bestMatches = (search: Search) => {
  const { best, isRare, isBestRare } = search;
  if (best === undefined || (!isRare && isPhrase(best)))
    return sql`select ${columns} from message_words w where false`;
  return newest(search, { words: best, isRare: isRare || isBestRare }, mostBest);
};

/** How close and how dense the words stand, whether they are the very ones, and a little for what is new: of two that
 * match alike the newer is first, and a much better match is before a newer one. */
const scoreOf = ({ words, best, top }: Search) => sql`(
  10 * ts_rank_cd(f.words, ${words}::tsquery, 1)
  + ${best === undefined ? sql`0` : sql`(f.words @@ ${best}::tsquery)::int`}
  + 0.5 * exp(least(0, extract(epoch from f.created_at - ${top.created_at}::timestamptz)::float8) / (30 * 86400))
)::float8`;

/** The best first, after the last one that was shown. */
export const findRanked = (
  kernel: Kernel,
  search: Search,
  after: Pick<Hit, 'score' | 'id'> | undefined,
  most: number,
): Promise<Hit[]> => {
  const ranked = mostRanked(search.isRare);
  return run(
    kernel,
    sql<Hit>`
    with recent as materialized (${newest(search, search, ranked)}),
    best as materialized (${bestMatches(search)})
    select id, cid, created_at, score, (select count(*) from recent) = ${ranked}::int as "isCut" from (
      select f.message_id as id, f.cid, f.created_at, ${scoreOf(search)} as score from (
        select * from recent
        union all select * from best where message_id not in (select message_id from recent)
      ) f
    ) ranked
    where ${after ? sql`(score, id) < (${String(after.score)}::float8, ${after.id}::text)` : sql`true`}
    order by score desc, id desc limit ${most}`,
  );
};

/** The matches that are not ranked, newest first; `isAll` where none are ranked. */
export const findNewest = (
  kernel: Kernel,
  search: Search,
  { under, isAll }: { under: Spot | undefined; isAll: boolean },
  most: number,
): Promise<Hit[]> => {
  const { words, isRare } = search;
  // The query asks for as many more as may have been shown for being the best.
  const found = newest(search, { words, isRare, under }, isAll ? most : most + mostBest);
  const shown = sql`select message_id from (${bestMatches(search)}) best`;
  return run(
    kernel,
    sql<Hit>`select f.message_id as id, f.cid, f.created_at, 0 as score, false as "isCut" from (${found}) f
      where ${isAll ? sql`true` : sql`f.message_id not in (${shown})`}
      order by f.created_at desc, f.message_id desc limit ${most}`,
  );
};

/** The oldest of those that are ranked for being new; undefined where all matches are. */
export const findRankedEnd = async (kernel: Kernel, search: Search): Promise<Spot | undefined> => {
  const last = newest(search, search, 1, mostRanked(search.isRare) - 1);
  const [spot] = await run(kernel, sql<Spot>`select f.message_id as id, f.created_at from (${last}) f`);
  return spot;
};

const newestOfAll: Statement = {
  name: 'search-top',
  text: 'select created_at, message_id as id from message_words order by created_at desc, message_id desc limit 1',
};

/** The newest message that can be found. */
export const findTop = async (pools: Pools): Promise<Spot | undefined> =>
  (await pools.read<Spot>(newestOfAll, []))[0];
