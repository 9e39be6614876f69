import type { Bench, Measured } from './bench.ts';
import { withDatabase } from './databases.ts';
import type { Shape } from './jobs.ts';
import { pairPlan, pairRows } from './pairs.ts';
import { runLoad } from './processes.ts';
import { blemishesOf } from './report.ts';
import { createRooms, createUsers } from './setup.ts';

/** A server of this build beside one of another, each on a database of its own: the same sends, in turn. */
export const measureAgainst =
  (shape: Shape) =>
  (bench: Bench): Promise<Measured> => {
    const { against } = bench;
    if (against === undefined) throw new Error('--against path/to/main.ts names the other build');
    return withDatabase(bench, 'bench_now', (nowUrl) =>
      withDatabase(bench, 'bench_before', async (beforeUrl) => {
        const before = await bench.startParleyOn(beforeUrl, { main: against });
        const now = await bench.startParleyOn(nowUrl);
        try {
          for (const { target } of [now, before]) {
            await createUsers(target, shape.rooms * shape.watchers);
            await createRooms(target, shape, true);
          }
          const { parley: one, bare: other } = await runLoad({
            kind: 'servers',
            plan: pairPlan(bench.plan),
            shape,
            parley: [now.target],
            alone: before.target,
            databaseUrls: { parley: nowUrl, alone: beforeUrl },
          });
          if (!one || !other) throw new Error('the generator gave no result');
          return {
            raw: { one, other },
            blemishes: [...blemishesOf('against', one), ...blemishesOf('against, the other build', other)],
            rows: pairRows({ name: 'this build', beside: 'by the other', least: 0.97, one, other }),
          };
        } finally {
          await Promise.all([now.stop(), before.stop()]);
        }
      }),
    );
  };
