import { isLockTimeout } from '../db/lock-timeout.ts';
import {
  addWeek,
  deleteRowsBefore,
  detachPartition,
  dropDetached,
  findNow,
  listPartitions,
  listStrayWeeks,
  type Partition,
  type Week,
} from '../events/log-partitions.ts';
import { isoTime } from '../lib/clock.ts';
import type { Kernel } from './kernel.ts';

const keepDays = 30;
const everyMs = 60 * 60 * 1000;
/** How long after the start the first old events are dropped, and the next try after somebody held the log, such as a backup. */
const soonMs = 60 * 1000;

/** While rows are moved out of `events_default` readers of the log wait, so more than these stay there until they are too old. */
const mostMoved = 50_000;

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
/** 1 January 1970 was a Thursday. */
const firstMonday = 4 * dayMs;

const startOfWeek = (ms: number): number => ms - ((ms - firstMonday) % weekMs);
const weekFrom = (ms: number): Week => ({ starts: isoTime(ms), ends: isoTime(ms + weekMs) });

/** The name has the Monday, such as `events_20260105`. */
const nameOf = ({ starts }: Week): string => `events_${starts.slice(0, 10).replaceAll('-', '')}`;

const isIn = (partition: Partition, week: Week): boolean =>
  partition.ends !== null &&
  (partition.starts === null || partition.starts <= week.starts) &&
  week.ends <= partition.ends;

/** A run of retention. */
type Retention = Pick<Kernel, 'db'> & {
  /** Looked at between steps: whoever stops the server waits for one step only. */
  isStopped?(): boolean;
  onDropped?(table: string): void;
};

const oldestAt = (now: number): string => isoTime(now - keepDays * dayMs);

/** Makes the partitions of this week and the next, and of weeks whose rows found none. */
const makePartitions = async ({ db, isStopped }: Retention, now: number): Promise<void> => {
  const partitions = await listPartitions(db);
  const [thisWeek, nextWeek] = [startOfWeek(now), startOfWeek(now) + weekMs];
  // Rows from later, by a wrong clock, wait until their week has come.
  const stray = await listStrayWeeks(db, { starts: oldestAt(now), ends: weekFrom(nextWeek).ends });
  const starts = new Set([nextWeek, thisWeek, ...stray.map(({ week }) => Date.parse(week))]);
  for (const { week, count } of stray) if (count > mostMoved) starts.delete(Date.parse(week));
  for (const week of [...starts].map(weekFrom))
    if (!isStopped?.() && !partitions.some((partition) => isIn(partition, week)))
      await addWeek(db, nameOf(week), week);
};

/** Drops the partitions that ended long enough ago, and deletes such rows from those that do not end. */
const removeOld = async (retention: Retention, oldest: string): Promise<void> => {
  const { db, isStopped = () => false, onDropped = () => undefined } = retention;
  const partitions = await listPartitions(db);
  for (const { name, ends } of partitions)
    if (ends !== null && ends <= oldest && !isStopped()) await detachPartition(db, name);
  if (isStopped()) return;
  await dropDetached(db, onDropped);
  for (const { name, starts, ends } of partitions)
    if (starts === null && (ends === null || ends > oldest) && !isStopped())
      await deleteRowsBefore(db, { name, time: oldest, isStopped });
};

/** Keeps the log at the last 30 days, and some more until their week is over. The time is that of the database, so that no server with
 * a wrong clock drops anything. Any server may run it at any time. */
export const keepLog = async (retention: Retention, now?: number): Promise<void> => {
  const at = now ?? (await findNow(retention.db));
  await makePartitions(retention, at);
  await removeOld(retention, oldestAt(at));
};

/** Makes the partitions before the first event, also after a long time without a server, or on a backup. It then keeps the log, a minute
 * after the start and once an hour; clients whose cursor is older than the log get a fresh snapshot. */
export const startRetention = async ({
  db,
  log,
}: Pick<Kernel, 'db'> & { log: Pick<Kernel['log'], 'info' | 'error'> }): Promise<() => Promise<void>> => {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> | undefined;
  const retention: Retention = {
    db,
    isStopped: () => isStopped,
    onDropped: (table) => log.info({ table }, 'a part of the event log that was too old is dropped'),
  };
  const run = async (step: () => Promise<void>): Promise<number> => {
    try {
      await step();
      return everyMs;
    } catch (error) {
      if (!isLockTimeout(error)) log.error({ err: error }, 'event retention failed');
      return soonMs;
    }
  };
  const runIn = (ms: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run(() => keepLog(retention)).then(runIn);
    }, ms);
    timer.unref();
  };
  await run(async () => makePartitions(retention, await findNow(db)));
  runIn(soonMs);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
};
