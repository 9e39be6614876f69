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
/** How long after the start, or after somebody held the log, such as a backup. */
const soonMs = 60 * 1000;

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

/** Makes the partitions of this week and the next, and of weeks whose rows found none. */
const makePartitions = async ({ db }: Pick<Kernel, 'db'>, now: number, oldest: string): Promise<void> => {
  const partitions = await listPartitions(db);
  const [thisWeek, nextWeek] = [startOfWeek(now), startOfWeek(now) + weekMs];
  // Rows from later, by a wrong clock, wait until their week has come.
  const stray = await listStrayWeeks(db, { starts: oldest, ends: weekFrom(nextWeek).ends });
  const starts = new Set([nextWeek, thisWeek, ...stray.map((week) => Date.parse(week))]);
  for (const week of [...starts].map(weekFrom))
    if (!partitions.some((partition) => isIn(partition, week))) await addWeek(db, nameOf(week), week);
};

/** Drops the partitions that ended long enough ago, and deletes such rows from those that do not end. */
const removeOld = async ({ db }: Pick<Kernel, 'db'>, oldest: string): Promise<void> => {
  const partitions = await listPartitions(db);
  for (const { name, ends } of partitions)
    if (ends !== null && ends <= oldest) await detachPartition(db, name);
  await dropDetached(db);
  for (const { name, starts, ends } of partitions)
    if (starts === null && (ends === null || ends > oldest)) await deleteRowsBefore(db, name, oldest);
};

/** Keeps the log at the last 30 days, and some more until their week is over. The time is that of the database, so that no server with
 * a wrong clock drops anything. Any server may run it at any time. */
export const keepLog = async (kernel: Pick<Kernel, 'db'>, now?: number): Promise<void> => {
  const at = now ?? (await findNow(kernel.db));
  const oldest = isoTime(at - keepDays * dayMs);
  await makePartitions(kernel, at, oldest);
  await removeOld(kernel, oldest);
};

/** Runs a minute after the start and once an hour; clients whose cursor is older than the log get a fresh snapshot. */
export const startRetention = (kernel: Kernel): (() => Promise<void>) => {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<number> => {
    try {
      await keepLog(kernel);
      return everyMs;
    } catch (error) {
      if (!isLockTimeout(error)) kernel.log.error({ err: error }, 'event retention failed');
      return soonMs;
    }
  };
  const runIn = (ms: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run().then(runIn);
    }, ms);
    timer.unref();
  };
  runIn(soonMs);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
};
