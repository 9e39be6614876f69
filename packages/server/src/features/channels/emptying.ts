import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel.ts';

const stepSize = 1000;

/** Called after each step with how much is done, 0 to 1. */
export type OnStep = (done: number) => Promise<void>;

/** The words of the partial indexes: without them PostgreSQL reads all messages to find those of a channel. */
const parts = [
  sql<boolean>`(parent_id is null or show_in_channel)`,
  sql<boolean>`parent_id is not null and not show_in_channel`,
];

const seqOf = async (db: Db, cid: string): Promise<number> =>
  (await db.selectFrom('channels').select('seq').where('cid', '=', cid).executeTakeFirst())?.seq ?? 0;

/** Removes the messages that a channel has now, oldest first, in short transactions that leave the channel free for others.
 * What a crash leaves undone is done by the next try. */
export const emptyInSteps = async (kernel: Kernel, cid: string, onStep?: OnStep): Promise<void> => {
  const last = await seqOf(kernel.db, cid);
  for (const part of parts) {
    let removed = stepSize;
    while (removed === stepSize) {
      const rows = await kernel.write(async (tx) => {
        // Pages are kept by the log, which does not know of this yet.
        tx.stale({ what: 'channel', key: cid });
        const { rows: gone } = await sql<{ seq: number }>`delete from messages where id = any(array(
              select id from messages where cid = ${cid} and ${part} and seq <= ${last}
              order by ${part === parts[0] ? sql`created_at, seq` : sql`seq`} limit ${stepSize}
            )) returning seq`.execute(tx.db);
        return gone;
      });
      removed = rows.length;
      const furthest = Math.max(0, ...rows.map(({ seq }) => seq));
      if (removed === stepSize) await onStep?.(part === parts[0] ? (furthest / last) * 0.9 : 0.9);
    }
  }
};

/** The rest, under the channel's lock: what was said since the steps began. */
export const removeMessages = async (db: Db, cid: string): Promise<void> => {
  for (const part of parts) await db.deleteFrom('messages').where('cid', '=', cid).where(part).execute();
};
