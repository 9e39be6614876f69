import { createHash } from 'node:crypto';
import { ChannelSchema } from '@parley/protocol';
import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { type AskedFile, findNamedFiles } from '../../db/named-files.ts';
import type { Pools, Statement } from '../../db/pool.ts';
import type { ChannelRow } from '../../db/rows.ts';
import type { ChannelsTable, Database } from '../../db/schema.ts';
import { isUnbegun } from '../../db/unbegun.ts';
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

type Db = Kysely<Database>;

const membership = (condition: ReturnType<typeof sql>) =>
  sql<boolean>`exists (select 1 from members where members.cid = channels.cid and ${condition})`;
const own = ({ actorId }: QueryContext) => sql`members.user_id = ${actorId}`;
const ownValue = (column: string) => (context: QueryContext) =>
  sql`(select ${sql.ref(column)} from members where members.cid = channels.cid and ${own(context)})`;
const ownFlag = (condition: ReturnType<typeof sql>) =>
  boolField<QueryContext>((context) => membership(sql`${own(context)} and ${condition}`));

const isHidden = sql`members.hidden_number >= channels.last_number`;
/** The kind as `kindOf` of access/access.ts writes it. */
const memberKind = sql`concat_ws(' ', channels.type, members.channel_role, case when channels.created_by = members.user_id then 'creator' end)`;

/** `countedKinds` are the kinds of membership in which messages can be unread for who asks. */
type ChannelContext = QueryContext & { readonly countedKinds: readonly string[] };

export const channelFields = defineFields<ChannelContext>(
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
      operators: { $eq: 'text', $ne: 'text' },
      compile: (_operator, value, context) =>
        membership(sql`${own(context)} and members.invited = ${value === 'pending'}`),
    }),
    hidden: ownFlag(isHidden),
    muted: ownFlag(
      sql`members.muted_at is not null and (members.muted_until is null or members.muted_until > now())`,
    ),
    pinned: ownFlag(sql`members.pinned_at is not null`),
    archived: ownFlag(sql`members.archived_at is not null`),
    pinned_at: timeField(ownValue('members.pinned_at'), { sort: { nullable: true } }),
    joined: boolField((context) => membership(own(context))),
    has_unread: boolField((context) =>
      membership(sql`${own(context)} and channels.last_number > coalesce(members.unread_from, members.read_number)
        and not members.invited and not members.banned and ${memberKind} = any(${context.countedKinds}::text[])`),
    ),
  },
  {
    resource: 'channels',
    tieBreaker: 'cid',
    defaultSort: [{ field: 'last_updated', direction: -1 }],
    custom: 'channels.data',
    record: ChannelSchema,
  },
);

/** Whether the user has not hidden the channel. */
export const isShown = (userId: string) =>
  sql<boolean>`not ${membership(sql`${own({ actorId: userId })} and ${isHidden}`)}`;

/** Whether the user sees the channel in lists, the one of hidden channels included: a direct conversation in which nobody has
 * written is its creator's alone. */
export const isBegun = (userId: string | undefined) =>
  sql<boolean>`not ${membership(sql`${own({ actorId: userId ?? null })} and ${isUnbegun}`)}`;

/** The one channel of exactly these members, whoever asks and in whatever order. */
export const distinctKey = (type: string, userIds: string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([type, [...new Set(userIds)].sort()]))
    .digest('base64url');

const lastEventAt = (condition: string): string => `(
    select e.created_at from events e where e.cid = channels.cid and e.seq = channels.seq ${condition}
    order by e.created_at desc limit 1
  )`;

/** The last event is not older than the last message, by clocks that are less than a day apart: most partitions of the log need no look.
 * All are looked at where it is not found there: a server whose clock was ahead may have written the last message. */
const channelsWhere = (condition: string): string => `select ${columnsOf('channels')}, coalesce(
    ${lastEventAt(`and e.created_at >= coalesce(channels.last_message_at, '-infinity') - interval '1 day'`)},
    ${lastEventAt('')}
  ) as seq_at
  from channels where ${condition}`;

const channelsByCid: Statement = {
  name: 'channels-by-cid',
  text: channelsWhere('cid = any($1::text[])'),
};

/** A statement of its own: PostgreSQL keeps its plan, and makes one anew each time for a list, of which it does not know the length. */
const channelByCid: Statement = { name: 'channel-by-cid', text: channelsWhere('cid = $1') };

/** A channel with the time of the last event of its log. */
export type FoundChannel = ChannelRow & { seq_at: string | null };

export const findChannels = (pools: Pools, cids: string[]): Promise<FoundChannel[]> =>
  cids.length === 1
    ? pools.read<FoundChannel>(channelByCid, cids)
    : pools.read<FoundChannel>(channelsByCid, [cids]);

/** Undefined when there is one of this cid or distinct key already. */
export const insertChannel = (db: Db, row: Insertable<ChannelsTable>): Promise<ChannelRow | undefined> =>
  db
    .insertInto('channels')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateChannel = (db: Db, cid: string, values: Updateable<ChannelsTable>): Promise<ChannelRow> =>
  db.updateTable('channels').set(values).where('cid', '=', cid).returningAll().executeTakeFirstOrThrow();

export const deleteChannel = async (db: Db, cid: string): Promise<void> => {
  await db.deleteFrom('channels').where('cid', '=', cid).execute();
};

/** Locks the channel, deleted or not; false when none of this cid has this log. */
export const lockLog = async (db: Db, cid: string, logId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('channels')
    .select('cid')
    .where('cid', '=', cid)
    .where('log_id', '=', logId)
    .forUpdate()
    .executeTakeFirst();
  return found !== undefined;
};

/** Channels by cid, deleted ones included. */
export const listChannels = async (db: Db, cids: string[]): Promise<ChannelRow[]> => {
  if (cids.length === 0) return [];
  const { rows } = await sql<ChannelRow>`
    select ${sql.raw(columnsOf('channels'))} from channels where cid = any(${cids})`.execute(db);
  return rows;
};

const seldom: Statement = {
  name: 'seldom-in-channels',
  text: `select exists (select from messages where cid = any($1::text[]) and pinned_at is not null) as pins,
    exists (select from pending_messages where user_id = $2 and cid = any($1::text[])) as pending,
    exists (select from drafts where user_id = $2 and cid = any($1::text[]) and parent_id = '') as drafts`,
};

/** The things that few channels have and any of these has: one question instead of three. */
export const findSeldom = async (
  pools: Pools,
  cids: string[],
  viewerId: string | undefined,
): Promise<Record<'pins' | 'pending' | 'drafts', boolean> | undefined> => {
  const [has] = await pools.read<Record<'pins' | 'pending' | 'drafts', boolean>>(seldom, [
    cids,
    viewerId ?? '',
  ]);
  return has;
};

export const findDistinct = async (db: Db, key: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('channels')
    .select('cid')
    .where('distinct_key', '=', key)
    .executeTakeFirst();
  return row?.cid;
};

/** The channels that a user who reads `openTypes` without belonging may find. */
export const readableChannels = (
  db: Db,
  userId: string | undefined,
  { openTypes, isStaff }: { openTypes: string[]; isStaff: boolean },
) =>
  allChannels(db).where((eb) =>
    eb.or([
      sql<boolean>`channels.type = any(${openTypes}) and (channels.distinct_key is null or ${isStaff})`,
      eb.exists(
        eb
          .selectFrom('members')
          .select('members.cid')
          .whereRef('members.cid', '=', 'channels.cid')
          .where('members.user_id', '=', userId ?? ''),
      ),
    ]),
  );

export const allChannels = (db: Db) =>
  db.selectFrom('channels').select(['channels.cid']).where('channels.deleted_at', 'is', null);

/** Those of these files that are pictures of channels, or stand in their custom data. That text has no single writer. */
export const findFilesOfChannels = (db: Db, files: AskedFile[]): Promise<string[]> =>
  findNamedFiles(db, files, {
    table: 'channels',
    text: sql`coalesce(image, '') || data::text`,
    writer: sql`null`,
  });
