import { limits, type ReadCounts } from '@parley/protocol';
import { type Kysely, sql } from 'kysely';
import type { Reader } from '../../access/access.ts';
import { isNotTruncated } from '../../db/not-truncated.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Database } from '../../db/schema.ts';
import { isUnbegun } from '../../db/unbegun.ts';

type Db = Kysely<Database>;

/** Derived, never counted up: the channel's last number less the member's own. */
const from = sql<number>`coalesce(members.unread_from, members.read_number)`;
const unread = sql<number>`greatest(0, channels.last_number - ${from})`;

export type UnreadRow = {
  cid: string;
  unread: number;
  from: number;
  last_read: string | null;
  version: number;
  muted: boolean;
  hidden: boolean;
  archived: boolean;
  invited: boolean;
  banned: boolean;
  /** Nothing of it has been shown to the user yet. */
  unbegun: boolean;
};

const isMuted = (now: string) =>
  sql<boolean>`members.muted_at is not null and (members.muted_until is null or members.muted_until > ${now})`;

const isHidden = sql<boolean>`coalesce(members.hidden_number >= channels.last_number, false)`;

/** The unread counts of every membership of a user, with the fields that decide whether it may still read. */
export const listUnread = (db: Db, userId: string, now: string): Promise<(UnreadRow & Reader)[]> =>
  db
    .selectFrom('members')
    .innerJoin('channels', 'channels.cid', 'members.cid')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.cid', 'members.last_read', 'members.read_version as version', 'members.invited'])
    .select(['users.role', 'members.channel_role', 'channels.type'])
    .select([
      sql<boolean>`channels.distinct_key is not null`.as('is_direct'),
      sql<boolean>`channels.created_by is not distinct from members.user_id`.as('is_creator'),
    ])
    .select([from.as('from'), unread.as('unread'), isMuted(now).as('muted'), isHidden.as('hidden')])
    .select([
      sql<boolean>`members.archived_at is not null`.as('archived'),
      sql<boolean>`members.banned or users.banned`.as('banned'),
      sql<boolean>`${isUnbegun} is true`.as('unbegun'),
    ])
    .where('members.user_id', '=', userId)
    .where('channels.deleted_at', 'is', null)
    .execute();

/** The newest message of the timeline, or the one named. */
export const findReadTarget = (db: Db, cid: string, messageId: string | undefined, lastNumber?: number) =>
  db
    .selectFrom('messages')
    .select(['id', 'number', 'created_at', 'silent', 'parent_id', 'show_in_channel', 'user_id'])
    .where('cid', '=', cid)
    .where(isNotTruncated)
    .$if(messageId !== undefined, (query) => query.where('id', '=', messageId ?? ''))
    .$if(lastNumber !== undefined, (query) => query.where('number', '<=', lastNumber ?? 0))
    .where(sql<boolean>`(parent_id is null or show_in_channel)`)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

type Target = Pick<MessageRow, 'cid' | 'user_id' | 'number' | 'silent' | 'created_at'>;

/** A silent message has the number of the one before it: only the time decides. */
const hasRead = ({ silent, created_at, number }: Target) =>
  silent
    ? sql<boolean>`members.last_read >= ${created_at}::timestamptz`
    : sql<boolean>`members.read_number >= ${number}::bigint`;
const hasReceived = (target: Target) =>
  sql<boolean>`(${hasRead(target)} or members.last_delivered_at >= ${target.created_at}::timestamptz)`;

export const countReceipts = (db: Db, target: Target) =>
  db
    .selectFrom('members')
    .select([
      sql<number>`count(*)`.as('member_count'),
      sql<number>`count(*) filter (where ${hasRead(target)})`.as('read_count'),
      sql<number>`count(*) filter (where ${hasReceived(target)})`.as('delivered_count'),
    ])
    .where('cid', '=', target.cid)
    .where('user_id', '!=', target.user_id)
    .where('invited', '=', false)
    .executeTakeFirstOrThrow();

export type ReceiptRow = { user_id: string; at: string | null };
export type ReceiptKind = { kind: 'read' | 'delivered'; most: number };

/** The members who have read a message, or whom it has reached: readers are among those. */
export const listReceipts = (db: Db, target: Target, { kind, most }: ReceiptKind): Promise<ReceiptRow[]> => {
  const at =
    kind === 'read'
      ? sql<string | null>`last_read`
      : sql<string | null>`coalesce(last_delivered_at, last_read)`;
  return db
    .selectFrom('members')
    .select(['user_id', at.as('at')])
    .where('cid', '=', target.cid)
    .where('user_id', '!=', target.user_id)
    .where('invited', '=', false)
    .where(kind === 'read' ? hasRead(target) : hasReceived(target))
    .orderBy(at, (order) => order.desc().nullsLast())
    .orderBy('user_id')
    .limit(most)
    .execute();
};

export const findMark = (db: Db, cid: string, userId: string) =>
  db
    .selectFrom('members')
    .innerJoin('channels', 'channels.cid', 'members.cid')
    .select(['members.read_number', 'members.unread_from', 'members.last_read', 'channels.last_number'])
    .where('members.cid', '=', cid)
    .where('members.user_id', '=', userId)
    .executeTakeFirst();

/** The newest messages of the channel after a number, oldest first; silent ones among them. */
export const listSince = async (db: Db, cid: string, number: number, most: number) => {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'number', 'user_id', 'text', 'silent', 'created_at', 'deleted_at'])
    .where('cid', '=', cid)
    .where('number', '>', number)
    .where(isNotTruncated)
    .where(sql<boolean>`(parent_id is null or show_in_channel)`)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(most)
    .execute();
  return rows.reverse();
};

const groupBy = async (db: Kysely<Database>, cid: string, number: ReturnType<typeof sql<number>>) =>
  (
    await sql<{
      number: number;
      count: number;
    }>`select ${number} as number, count(*) as count from members where cid = ${cid} and not invited
      group by 1 order by 1 desc limit ${limits.readGroups}`.execute(db)
  ).rows;

/** How many members have read and received up to which message. */
export const countReads = async (db: Kysely<Database>, cid: string): Promise<ReadCounts> => {
  const [read, delivered, members] = await Promise.all([
    groupBy(db, cid, sql<number>`read_number`),
    groupBy(db, cid, sql<number>`greatest(read_number, delivered_number)`),
    db
      .selectFrom('members')
      .select(sql<number>`count(*)`.as('count'))
      .where('cid', '=', cid)
      .where('invited', '=', false)
      .executeTakeFirstOrThrow(),
  ]);
  return { member_count: members.count, read, delivered };
};
