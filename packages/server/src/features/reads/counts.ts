import { limits, type ReadCounts, times } from '@parley/protocol';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { ephemeralEventJson } from '../../events/event-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createCoalescer } from '../../work/coalescer.ts';

type Step = { number: number; count: number };

const groupBy = async (db: Kysely<Database>, cid: string, number: ReturnType<typeof sql<number>>) =>
  (
    await sql<Step>`select ${number} as number, count(*) as count from members where cid = ${cid}
      group by 1 order by 1 desc limit ${limits.readGroups}`.execute(db)
  ).rows;

export const countReads = async (db: Kysely<Database>, cid: string): Promise<ReadCounts> => {
  const [read, delivered, members] = await Promise.all([
    groupBy(db, cid, sql<number>`read_number`),
    groupBy(db, cid, sql<number>`greatest(read_number, delivered_number)`),
    db
      .selectFrom('members')
      .select(sql<number>`count(*)`.as('count'))
      .where('cid', '=', cid)
      .executeTakeFirstOrThrow(),
  ]);
  return { member_count: members.count, read, delivered };
};

const mostAtOnce = 4;

/** Publishes the counts of a channel some time after somebody read, once for all who read meanwhile. */
export const createReadCounter = (kernel: Kernel) => {
  const publish = async (cid: string) => {
    const read_counts = await countReads(kernel.db, cid);
    const type = 'channel.read_counts';
    kernel.publishTransient({
      kind: 'channel',
      cid,
      type,
      json: ephemeralEventJson(type, cid, kernel.now(), { read_counts }),
    });
  };
  const coalescer = createCoalescer<undefined>(kernel, {
    name: 'read-counts',
    gatherMs: times.readCounts,
    everyMs: 0,
    mostAtOnce,
    merge: () => undefined,
    flush: async (batch) => {
      await Promise.all(batch.map(({ key }) => publish(key)));
      return [];
    },
  });
  return { touch: (cid: string): void => coalescer.touch(cid, undefined), stop: coalescer.stop };
};
export type ReadCounter = ReturnType<typeof createReadCounter>;
