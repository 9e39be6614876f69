import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database>;

/** Derived, never counted up: the channel's last number less the member's own. */
const unread = sql<number>`greatest(0, channels.last_number - coalesce(members.unread_from, members.read_number))`;

export type UnreadRow = { cid: string; unread: number; last_read: string | null };

export const listUnread = (db: Db, userId: string): Promise<UnreadRow[]> =>
  db
    .selectFrom('members')
    .innerJoin('channels', 'channels.cid', 'members.cid')
    .select(['members.cid', 'members.last_read', unread.as('unread')])
    .where('members.user_id', '=', userId)
    .where('channels.deleted_at', 'is', null)
    .execute();

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
