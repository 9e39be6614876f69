import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';

const stepSize = 1000;

/** Called after each step with how much is done, 0 to 1. */
export type OnStep = (done: number) => Promise<void>;

/** What a channel had up to a number. A channel that is made anew under the same cid has another log. */
export type Emptying = { cid: string; logId: string; upTo: number };

/** The words of the partial indexes: without them PostgreSQL reads all messages to find those of a channel. */
const parts = [
  sql<boolean>`(parent_id is null or show_in_channel)`,
  sql<boolean>`parent_id is not null and not show_in_channel`,
];

/** In the statement that removes: a channel that was made anew in between keeps what it has. */
const ofThisLog = ({ cid, logId, upTo }: Emptying) => sql`cid = ${cid} and seq <= ${upTo}
  and exists (select from channels c where c.cid = ${cid} and c.log_id = ${logId})`;

/** Oldest first. */
const steps = [
  (emptying: Emptying) => sql`delete from messages where id = any(array(
    select id from messages where ${ofThisLog(emptying)} and ${parts[0]} order by created_at, seq limit ${stepSize}))`,
  (emptying: Emptying) => sql`delete from messages where id = any(array(
    select id from messages where ${ofThisLog(emptying)} and ${parts[1]} order by seq limit ${stepSize}))`,
  (emptying: Emptying) => sql`delete from events where cid = ${emptying.cid} and seq = any(array(
    select seq from events where ${ofThisLog(emptying)} order by seq limit ${stepSize}))`,
];

/** Removes messages and log rows that nobody sees any more, in short transactions that leave the channel free for others.
 * Whoever goes on after a crash does what is left. */
export const emptyInSteps = async (kernel: Kernel, emptying: Emptying, onStep?: OnStep): Promise<void> => {
  let removed = 0;
  for (const [index, step] of steps.entries()) {
    let isMore = true;
    while (isMore) {
      const count = await kernel.write(async (tx) =>
        Number((await step(emptying).execute(tx.db)).numAffectedRows),
      );
      removed += count;
      isMore = count === stepSize;
      const share = Math.min(0.9, removed / Math.max(1, emptying.upTo));
      if (isMore) await onStep?.((index + share) / steps.length);
    }
  }
};

/** Whether a channel has so little that it goes in the transaction that truncates it. */
export const isSmall = async (db: Db, cid: string): Promise<boolean> => {
  const { rows } = await sql<{ more: boolean }>`select
    exists (select from messages where cid = ${cid} and ${parts[0]} offset ${stepSize}) or
    exists (select from messages where cid = ${cid} and ${parts[1]} offset ${stepSize}) or
    exists (select from events where cid = ${cid} offset ${stepSize}) as more`.execute(db);
  return rows[0]?.more === false;
};

/** All that a channel has now, under its lock. */
export const removeMessages = async (db: Db, cid: string): Promise<void> => {
  for (const part of parts) await db.deleteFrom('messages').where('cid', '=', cid).where(part).execute();
  await db.deleteFrom('events').where('cid', '=', cid).execute();
};
