import type pg from 'pg';
import type { ChannelRow, MemberRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';

export const findChannel = (db: Db, cid: string): Promise<ChannelRow | undefined> =>
  db.selectFrom('channels').selectAll().where('cid', '=', cid).executeTakeFirst();

export const lockChannelRow = (db: Db, cid: string): Promise<ChannelRow | undefined> =>
  db.selectFrom('channels').selectAll().where('cid', '=', cid).forUpdate().executeTakeFirst();

export const findMember = (db: Db, cid: string, userId: string): Promise<MemberRow | undefined> =>
  db
    .selectFrom('members')
    .selectAll()
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .executeTakeFirst();

type MemberKey = { cid: string; userId: string };
export type Membership = Pick<MemberRow, 'channel_role' | 'banned'>;

const memberships = {
  name: 'memberships',
  text: `select m.cid, m.user_id, m.channel_role, m.banned from unnest($1::text[], $2::text[]) as t (cid, user_id)
    join members m on m.cid = t.cid and m.user_id = t.user_id`,
};

/** The statement is sent before this returns, so it can be one of a pipeline. */
export const readMemberships = async (
  client: pg.Client,
  keys: MemberKey[],
): Promise<(Membership & { cid: string; user_id: string })[]> => {
  const values = [keys.map(({ cid }) => cid), keys.map(({ userId }) => userId)];
  return (await client.query({ ...memberships, values })).rows;
};
