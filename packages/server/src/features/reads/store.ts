import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { MemberRow } from '../members/record.ts';

type Db = Kysely<Database>;

/** Derived, never counted up: the channel's last number less the member's own. */
export const unreadSql = sql<number>`greatest(0, channels.last_number - coalesce(members.unread_from, members.read_number))`;

export type UnreadRow = { cid: string; unread: number; last_read: string | null };

export const listUnread = (db: Db, userId: string): Promise<UnreadRow[]> =>
  db
    .selectFrom('members')
    .innerJoin('channels', 'channels.cid', 'members.cid')
    .select(['members.cid', 'members.last_read', unreadSql.as('unread')])
    .where('members.user_id', '=', userId)
    .where('channels.deleted_at', 'is', null)
    .execute();

export const lockMember = (db: Db, cid: string, userId: string): Promise<MemberRow | undefined> =>
  db
    .selectFrom('members')
    .selectAll()
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

export const updateMember = (
  db: Db,
  { cid, user_id }: Pick<MemberRow, 'cid' | 'user_id'>,
  values: Partial<Omit<MemberRow, 'data'>>,
): Promise<MemberRow> =>
  db
    .updateTable('members')
    .set(values)
    .where('cid', '=', cid)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The newest message of the timeline, or the one named. */
export const findReadTarget = (db: Db, cid: string, messageId: string | undefined) =>
  db
    .selectFrom('messages')
    .select(['id', 'number', 'created_at', 'silent', 'parent_id', 'show_in_channel', 'user_id'])
    .where('cid', '=', cid)
    .$if(messageId !== undefined, (query) => query.where('id', '=', messageId ?? ''))
    .where(sql<boolean>`(parent_id is null or show_in_channel)`)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
