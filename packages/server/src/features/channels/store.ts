import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Pools, Statement } from '../../db/pool.ts';
import type { Database } from '../../db/schema.ts';
import {
  boolField,
  defineFields,
  idField,
  numberField,
  type QueryContext,
  relationField,
  textField,
  timeField,
} from '../../query/fields.ts';
import type { MemberRow } from '../members/record.ts';
import type { ChannelRow } from './record.ts';

type Db = Kysely<Database>;

const membership = (condition: ReturnType<typeof sql>) =>
  sql<boolean>`exists (select 1 from members where members.cid = channels.cid and ${condition})`;
const own = ({ actorId }: QueryContext) => sql`members.user_id = ${actorId}`;

export const channelFields = defineFields<QueryContext>(
  {
    cid: idField('channels.cid', { sort: { nullable: false } }),
    id: idField('channels.id'),
    type: idField('channels.type'),
    name: textField('channels.name', { sort: { nullable: true } }),
    created_by_id: idField('channels.created_by'),
    created_at: timeField('channels.created_at', { sort: { nullable: false } }),
    updated_at: timeField('channels.updated_at', { sort: { nullable: false } }),
    last_message_at: timeField('channels.last_message_at', { sort: { nullable: true } }),
    last_updated: timeField(sql`coalesce(channels.last_message_at, channels.created_at)`, {
      sort: { nullable: false },
    }),
    member_count: numberField('channels.member_count', { sort: { nullable: false } }),
    frozen: boolField('channels.frozen'),
    disabled: boolField('channels.disabled'),
    members: relationField<QueryContext>({
      operators: { $eq: 'id', $in: 'id[]', $nin: 'id[]', $contains: 'id' },
      compile: (operator, value) =>
        membership(
          operator === '$in' ? sql`members.user_id = any(${value}::text[])` : sql`members.user_id = ${value}`,
        ),
    }),
    invite: relationField<QueryContext>({
      operators: { $eq: 'text' },
      compile: (_operator, value, context) =>
        membership(sql`${own(context)} and members.invited = ${value === 'pending'}`),
    }),
    joined: boolField((context) => membership(own(context))),
    has_unread: boolField((context) =>
      membership(
        sql`${own(context)} and channels.last_number > coalesce(members.unread_from, members.read_number)`,
      ),
    ),
  },
  {
    resource: 'channels',
    tieBreaker: 'cid',
    defaultSort: [{ field: 'last_updated', direction: -1 }],
    custom: 'channels.data',
  },
);

/** The one channel of exactly these members, whoever asks and in whatever order. */
export const distinctKey = (type: string, userIds: string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([type, [...new Set(userIds)].sort()]))
    .digest('base64url');

const firstMembers: Statement = {
  name: 'members-first',
  text: `select m.* from unnest($1::text[]) as wanted (cid)
    cross join lateral (
      (select * from members where members.cid = wanted.cid order by created_at, user_id limit $2)
      union
      (select * from members where members.cid = wanted.cid and user_id = $3)
    ) m order by m.created_at, m.user_id`,
};

const firstMembersOfOne: Statement = {
  name: 'members-first-one',
  text: 'select * from members where cid = $1 order by created_at, user_id limit $2',
};

const channelsByCid: Statement = {
  name: 'channels-by-cid',
  text: 'select * from channels where cid = any($1::text[])',
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

export const findChannels = (pools: Pools, cids: string[]): Promise<ChannelRow[]> =>
  pools.read<ChannelRow>(channelsByCid, [cids]);

export const listMemberIds = async (db: Db, cid: string): Promise<string[]> =>
  (await db.selectFrom('members').select('user_id').where('cid', '=', cid).execute()).map(
    (row) => row.user_id,
  );
