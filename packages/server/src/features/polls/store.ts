import { limits, ParleyError, PollSchema } from '@parley/protocol';
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { isNotTruncated } from '../../db/not-truncated.ts';
import type { Database, PollsTable } from '../../db/schema.ts';
import { boolField, defineFields, idField, numberField, textField, timeField } from '../../query/fields.ts';
import type { VoteRow } from './record.ts';
import type { PollRow } from './rules.ts';

type Db = Kysely<Database>;

export const pollFields = defineFields(
  {
    id: idField('polls.id', { sort: { nullable: false } }),
    cid: idField('polls.cid'),
    message_id: idField('polls.message_id'),
    name: textField('polls.name', { sort: { nullable: false } }),
    voting_visibility: idField('polls.voting_visibility'),
    enforce_unique_vote: boolField('polls.enforce_unique_vote'),
    max_votes_allowed: numberField('polls.max_votes_allowed', { sort: { nullable: true } }),
    allow_user_suggested_options: boolField('polls.allow_user_suggested_options'),
    allow_answers: boolField('polls.allow_answers'),
    is_closed: boolField(() => sql`(polls.is_closed or coalesce(polls.end_at <= now(), false))`),
    end_at: timeField('polls.end_at', { sort: { nullable: true } }),
    created_by_id: idField('polls.created_by'),
    created_at: timeField('polls.created_at', { sort: { nullable: false } }),
    updated_at: timeField('polls.updated_at', { sort: { nullable: false } }),
  },
  {
    resource: 'polls',
    tieBreaker: 'id',
    defaultSort: [{ field: 'created_at', direction: -1 }],
    custom: 'polls.data',
    record: PollSchema,
  },
);

const openVoteFields = {
  id: idField('poll_votes.id', { sort: { nullable: false } }),
  option_id: idField('poll_votes.option_id'),
  is_answer: boolField(() => sql`(poll_votes.option_id is null)`),
  created_at: timeField('poll_votes.created_at', { sort: { nullable: false } }),
  updated_at: timeField('poll_votes.updated_at', { sort: { nullable: false } }),
};
const voteOptions = {
  resource: 'poll_votes',
  tieBreaker: 'id',
  defaultSort: [{ field: 'created_at', direction: -1 as const }],
};

/** Voters can be filtered by only where votes are public. */
export const voteFields = {
  public: defineFields({ ...openVoteFields, user_id: idField('poll_votes.user_id') }, voteOptions),
  anonymous: defineFields(openVoteFields, voteOptions),
};

export const listPolls = (db: Db, ids: string[]): Promise<PollRow[]> =>
  db
    .selectFrom('polls')
    .selectAll()
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .execute();

/** A poll of a deleted message is deleted with it. */
export const findPoll = (db: Db, id: string) =>
  db
    .selectFrom('polls')
    .leftJoin('messages', 'messages.id', 'polls.message_id')
    .selectAll('polls')
    .select('messages.created_at as sent_at')
    .where('polls.id', '=', id)
    .where('messages.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('messages.id', 'is', null), isNotTruncated]))
    .executeTakeFirst();

export const lockPoll = (db: Db, id: string): Promise<PollRow | undefined> =>
  db.selectFrom('polls').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Channels before polls, and each kind in order: whoever locks several does it alike. A deleted one may be locked, too.
 * Returns those that it locked: of several, those that another transaction holds are left out, so that they delay only themselves. */
export const lockChannels = async (db: Db, cids: string[], waits: boolean): Promise<Set<string>> => {
  const { rows } = await sql<{ cid: string }>`select cid from channels where cid = any(${cids})
    order by cid for update ${sql.raw(waits ? '' : 'skip locked')}`.execute(db);
  return new Set(rows.map(({ cid }) => cid));
};

/** Whether the poll is of a truncated message that is not removed yet. */
const isPollOfEmptied = sql<boolean>`exists (select from messages m join channels c on c.cid = m.cid
  where m.id = polls.message_id and m.seq <= c.emptied_seq)`;

export const lockPolls = async (db: Db, ids: string[]): Promise<PollRow[]> =>
  (
    await sql<PollRow>`select ${sql.raw(columnsOf('polls'))} from polls where id = any(${ids})
      and not ${isPollOfEmptied} order by id for update`.execute(db)
  ).rows;

/** Removes the marks of polls with unpublished votes and returns the polls that had one, which are published now. */
export const takeUnpublished = async (db: Db, ids: string[], now: string): Promise<Set<string>> => {
  const { rows } = await sql<{ poll_id: string }>`
    with taken as (delete from poll_untold where poll_id = any(${ids}) returning poll_id),
      noted as (update polls set published_at = ${now} from taken where polls.id = taken.poll_id)
    select poll_id from taken`.execute(db);
  return new Set(rows.map(({ poll_id }) => poll_id));
};

export const listUnpublished = (db: Db, most: number): Promise<{ id: string; cid: string | null }[]> =>
  db
    .selectFrom('poll_untold')
    .innerJoin('polls', 'polls.id', 'poll_untold.poll_id')
    .select(['polls.id', 'polls.cid'])
    .limit(most)
    .execute();

const openPollsWithEnd = (db: Db) =>
  db
    .selectFrom('polls')
    .leftJoin('channels', 'channels.cid', 'polls.cid')
    .where('polls.is_closed', '=', false)
    .where('polls.end_at', 'is not', null)
    .where('channels.deleted_at', 'is', null)
    .where((eb) => eb.not(isPollOfEmptied))
    .orderBy('polls.end_at');

export const findNextPollEnd = async (db: Db): Promise<string | undefined> =>
  (await openPollsWithEnd(db).select('polls.end_at').limit(1).executeTakeFirst())?.end_at ?? undefined;

export const listEndedPolls = (db: Db, now: string, most: number): Promise<PollRow[]> =>
  openPollsWithEnd(db).selectAll('polls').where('polls.end_at', '<=', now).limit(most).execute();

export const closePoll = (db: Db, id: string): Promise<PollRow> =>
  db
    .updateTable('polls')
    .set((eb) => ({ is_closed: true, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Polls that were made before a time and never sent. */
export const removeUnsent = async (db: Db, before: string): Promise<void> => {
  await db.deleteFrom('polls').where('message_id', 'is', null).where('created_at', '<', before).execute();
};

/** The newest votes of each option of public polls and the newest answers of all, newest first, and those of the viewer. */
export const listShownVotes = async (
  db: Db,
  ids: string[],
  viewerId: string | undefined,
): Promise<{ votes: VoteRow[]; own: VoteRow[] }> => {
  if (ids.length === 0) return { votes: [], own: [] };
  const vote = sql.raw(columnsOf('poll_votes', 'v'));
  const { rows } = await sql<VoteRow & { is_own: boolean }>`
    (select ${vote}, false as is_own from polls p
      cross join lateral jsonb_array_elements(p.options) as o
      cross join lateral (
        select * from poll_votes where poll_id = p.id and option_id = o ->> 'id'
        order by created_at desc, id desc limit ${limits.pollVotesShown}) v
      where p.id = any(${ids}) and p.voting_visibility = 'public')
    union all
    (select ${vote}, false from polls p
      cross join lateral (
        select * from poll_votes where poll_id = p.id and option_id is null
        order by created_at desc, id desc limit ${limits.pollAnswersShown}) v
      where p.id = any(${ids}) and p.answers_count > 0)
    union all
    (select ${vote}, true from poll_votes v where v.poll_id = any(${ids}) and v.user_id = ${viewerId ?? null})
    order by created_at desc, id desc`.execute(db);
  const withoutMark = ({ is_own: _, ...row }: VoteRow & { is_own: boolean }): VoteRow => row;
  return {
    votes: rows.filter((row) => !row.is_own).map(withoutMark),
    own: rows.filter((row) => row.is_own).map(withoutMark),
  };
};

/** The texts of those votes that are answers, by the id of the vote. */
export const findAnswers = async (db: Db, ids: string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('poll_votes')
    .select(['id', 'answer_text'])
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .execute();
  return new Map(rows.flatMap(({ id, answer_text }) => (answer_text === null ? [] : [[id, answer_text]])));
};

/** The votes of a poll for a query with filters. */
export const selectVotes = (db: Db, pollId: string) =>
  db.selectFrom('poll_votes').selectAll('poll_votes').where('poll_votes.poll_id', '=', pollId);

/** Undefined when there is one of this id already. */
export const insertPoll = (db: Db, row: Insertable<PollsTable>): Promise<PollRow | undefined> =>
  db
    .insertInto('polls')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updatePoll = async (db: Db, id: string, values: Updateable<PollsTable>): Promise<void> => {
  await db.updateTable('polls').set(values).where('id', '=', id).execute();
};

export const deletePoll = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('polls').where('id', '=', id).execute();
};

export const deleteVotesFor = async (db: Db, pollId: string, optionIds: string[]): Promise<void> => {
  await db
    .deleteFrom('poll_votes')
    .where('poll_id', '=', pollId)
    .where('option_id', 'in', optionIds)
    .execute();
};

/** The polls that people may see: their own that are not sent, and those in channels they belong to or may read. */
export const visiblePolls = (db: Db, userId: string | undefined, openTypes: string[]) => {
  const query = db
    .selectFrom('polls')
    .leftJoin('messages', 'messages.id', 'polls.message_id')
    .leftJoin('channels', 'channels.cid', 'polls.cid')
    .leftJoin('members', (join) =>
      join.onRef('members.cid', '=', 'polls.cid').on('members.user_id', '=', userId ?? ''),
    )
    .selectAll('polls')
    .where('messages.deleted_at', 'is', null)
    .where('channels.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('messages.id', 'is', null), isNotTruncated]))
    .where(sql<boolean>`(members.cleared_at is null or messages.created_at > members.cleared_at)`);
  if (userId === undefined) return query;
  return query.where(
    sql<boolean>`case when polls.message_id is null then polls.created_by = ${userId}
      else members.user_id is not null or channels.type = any(${openTypes}) end`,
  );
};

/** Derived from the votes that stand, under the lock of the poll: exact in any order of writes. */
export const recountSql = `
  vote_counts = coalesce((
    select jsonb_object_agg(option_id, n) from (
      select option_id, count(*) as n from poll_votes v
      where v.poll_id = polls.id and option_id is not null group by option_id
    ) c), '{}'),
  answers_count = (select count(*) from poll_votes v where v.poll_id = polls.id and option_id is null),
  version = version + 1`;

export const recount = async (db: Db, pollId: string): Promise<PollRow> => {
  const { rows } = await sql<PollRow>`
    update polls set ${sql.raw(recountSql)} where id = ${pollId} returning ${sql.raw(columnsOf('polls'))}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new ParleyError('NotFound', `No poll ${pollId}`);
  return row;
};
