import { limits, MemberSchema } from '@parley/protocol';
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import type { MayReadAs } from '../../access/access.ts';
import { columnsOf } from '../../db/columns.ts';
import type { Pools, Statement } from '../../db/pool.ts';
import type { MemberRow } from '../../db/rows.ts';
import type { Database, MembersTable } from '../../db/schema.ts';
import { isUnbegun, neverShown } from '../../db/unbegun.ts';
import { boolField, defineFields, idField, textField, timeField } from '../../query/fields.ts';

type Db = Kysely<Database>;

export const memberFields = defineFields(
  {
    user_id: idField('members.user_id', { sort: { nullable: false } }),
    name: textField('users.name', { sort: { nullable: true } }),
    channel_role: idField('members.channel_role'),
    invited: boolField('members.invited'),
    banned: boolField('members.banned'),
    created_at: timeField('members.created_at', { sort: { nullable: false } }),
  },
  {
    resource: 'members',
    tieBreaker: 'user_id',
    defaultSort: [{ field: 'created_at', direction: 1 }],
    custom: 'members.data',
    record: MemberSchema,
  },
);

export const lockMember = (db: Db, cid: string, userId: string): Promise<MemberRow | undefined> =>
  db
    .selectFrom('members')
    .selectAll()
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

/** Undefined for one who is a member already. `eventsBefore` of the channel's log are written before the event of this member. */
export const insertMember = (
  db: Db,
  member: Omit<Insertable<MembersTable>, 'read_version'>,
  eventsBefore: number,
): Promise<MemberRow | undefined> =>
  db
    .insertInto('members')
    .values({
      ...member,
      read_version: sql<number>`(select seq + ${eventsBefore + 1} from channels where cid = ${member.cid}) * ${limits.marksPerEvent}`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** The members of a channel for a query with filters. */
export const selectMembers = (db: Db, cid: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('members')
    .where('members.cid', '=', cid);

/** The same values for every member of a channel. */
export const updateAllMembers = async (
  db: Db,
  cid: string,
  values: Updateable<MembersTable>,
): Promise<void> => {
  await db.updateTable('members').set(values).where('cid', '=', cid).execute();
};

/** The conversation has begun, and stays begun for all of its members when its messages are gone. */
export const showToAll = async (db: Db, cid: string): Promise<void> => {
  await db
    .updateTable('members')
    .set({ hidden_number: null })
    .where('cid', '=', cid)
    .where('hidden_number', '=', neverShown)
    .execute();
};

/** The memberships of these people in these channels; of every pair, where both are named. */
export const listMembersAmong = (db: Db, cids: string[], userIds: string[]): Promise<MemberRow[]> =>
  db
    .selectFrom('members')
    .selectAll()
    .where('cid', '=', (eb) => eb.fn('any', [eb.val(cids)]))
    .where('user_id', '=', (eb) => eb.fn('any', [eb.val(userIds)]))
    .execute();

/** The memberships of these pairs of channel and user. */
export const findMembers = async (db: Db, keys: { cid: string; userId: string }[]): Promise<MemberRow[]> => {
  if (keys.length === 0) return [];
  const { rows } = await sql<MemberRow>`
    select ${sql.raw(columnsOf('members'))} from members
    join (select distinct * from unnest(${keys.map(({ cid }) => cid)}::text[], ${keys.map(({ userId }) => userId)}::text[])
      as t (cid, user_id)) asked using (cid, user_id)`.execute(db);
  return rows;
};

export const updateMember = (
  db: Db,
  { cid, user_id }: Pick<MemberRow, 'cid' | 'user_id'>,
  { data, ...values }: Partial<MemberRow>,
): Promise<MemberRow> =>
  db
    .updateTable('members')
    .set({ ...values, ...(data === undefined ? {} : { data: JSON.stringify(data) }) })
    .where('cid', '=', cid)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Counts members, without those who have not accepted their invitation. */
export const countMembers = async (db: Db, cid: string): Promise<number> => {
  const { count } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('cid', '=', cid)
    .where('invited', '=', false)
    .executeTakeFirstOrThrow();
  return count;
};

export const deleteAllMembers = async (db: Db, cid: string): Promise<void> => {
  await db.deleteFrom('members').where('cid', '=', cid).execute();
};

export const setMemberCount = async (db: Db, cid: string, count: number): Promise<void> => {
  await db.updateTable('channels').set({ member_count: count }).where('cid', '=', cid).execute();
};

export const removeMembers = (db: Db, cid: string, userIds: string[]): Promise<MemberRow[]> =>
  db
    .deleteFrom('members')
    .where('cid', '=', cid)
    .where('user_id', '=', (eb) => eb.fn('any', [eb.val(userIds)]))
    .returningAll()
    .execute();

export const listMembers = (db: Db, cid: string, most: number): Promise<MemberRow[]> =>
  db
    .selectFrom('members')
    .selectAll()
    .where('cid', '=', cid)
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(most)
    .execute();

/** The members who may read the channel: nobody else is notified of it. */
export const listReaderIds = async (db: Db, cid: string, mayRead: MayReadAs): Promise<string[]> => {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('channels', 'channels.cid', 'members.cid')
    .select(['members.user_id', 'members.channel_role', 'users.role', 'channels.type'])
    .select([
      sql<boolean>`channels.distinct_key is not null`.as('is_direct'),
      sql<boolean>`channels.created_by is not distinct from members.user_id`.as('is_creator'),
    ])
    .where('members.cid', '=', cid)
    .where(sql<boolean>`${isUnbegun} is not true`)
    .execute();
  return rows.filter(mayRead).map((row) => row.user_id);
};

const firstMembers: Statement = {
  name: 'members-first',
  text: `select ${columnsOf('members', 'm')} from unnest($1::text[]) as wanted (cid)
    cross join lateral (
      (select * from members where members.cid = wanted.cid order by created_at, user_id limit $2)
      union
      (select * from members where members.cid = wanted.cid and user_id = $3)
    ) m order by m.created_at, m.user_id`,
};

const firstMembersOfOne: Statement = {
  name: 'members-first-one',
  text: `select ${columnsOf('members')} from members where cid = $1 order by created_at, user_id limit $2`,
};

/** The first members of channels, and always the viewer. */
export const listFirstMembers = async (
  pools: Pools,
  cids: string[],
  most: number,
  viewerId: string | undefined,
): Promise<MemberRow[]> => {
  if (cids.length !== 1) return pools.read<MemberRow>(firstMembers, [cids, most, viewerId ?? null]);
  const rows = await pools.read<MemberRow>(firstMembersOfOne, [cids[0], most]);
  if (rows.length < most || viewerId === undefined || rows.some((row) => row.user_id === viewerId))
    return rows;
  return pools.read<MemberRow>(firstMembers, [cids, most, viewerId]);
};

const membersOfUser: Statement = {
  name: 'members-of-user',
  text: `select ${columnsOf('members')} from members where user_id = $1 and cid = any($2::text[])`,
};

/** One user's memberships of these channels. */
export const listMemberships = (pools: Pools, userId: string, cids: string[]): Promise<MemberRow[]> =>
  pools.read<MemberRow>(membersOfUser, [userId, cids]);
