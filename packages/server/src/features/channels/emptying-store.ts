import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

export const stepSize = 1000;

/** The rows of a channel up to a number of its log. A channel that is made anew under the same cid has another log. */
export type Emptying = { cid: string; logId: string; upTo: number };

/** The words of the partial indexes: without them PostgreSQL reads all messages to find those of a channel. */
const parts = [
  sql<boolean>`(parent_id is null or show_in_channel)`,
  sql<boolean>`parent_id is not null and not show_in_channel`,
];

/** The condition is in the statement that removes: a channel that was made anew in between keeps what it has. */
const ofThisLog = ({ cid, logId, upTo }: Emptying) => sql`cid = ${cid} and seq <= ${upTo}
  and exists (select from channels c where c.cid = ${cid} and c.log_id = ${logId})`;

const steps = [
  (emptying: Emptying) => sql`delete from messages where id = any(array(
    select id from messages where ${ofThisLog(emptying)} and ${parts[0]} order by created_at, seq limit ${stepSize}))`,
  (emptying: Emptying) => sql`delete from messages where id = any(array(
    select id from messages where ${ofThisLog(emptying)} and ${parts[1]} order by seq limit ${stepSize}))`,
  (emptying: Emptying) => sql`delete from events where cid = ${emptying.cid} and seq = any(array(
    select seq from events where ${ofThisLog(emptying)} order by seq limit ${stepSize}))`,
];

/** Each removes the oldest rows of one kind, at most `stepSize`, and returns how many. */
export const removalSteps = steps.map((step) => async (db: Db, emptying: Emptying): Promise<number> => {
  const { numAffectedRows } = await step(emptying).execute(db);
  return Number(numAffectedRows);
});

/** Whether the channel has at most `stepSize` rows of each kind. */
export const isSmall = async (db: Db, cid: string): Promise<boolean> => {
  const { rows } = await sql<{ more: boolean }>`select
    exists (select from messages where cid = ${cid} and ${parts[0]} offset ${stepSize}) or
    exists (select from messages where cid = ${cid} and ${parts[1]} offset ${stepSize}) or
    exists (select from events where cid = ${cid} offset ${stepSize}) as more`.execute(db);
  return rows[0]?.more === false;
};

/** Removes all messages and log rows of a channel, under its lock. */
export const removeMessages = async (db: Db, cid: string): Promise<void> => {
  for (const part of parts) await db.deleteFrom('messages').where('cid', '=', cid).where(part).execute();
  await db.deleteFrom('events').where('cid', '=', cid).execute();
};
