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
  splitDefault,
  type Week,
} from '../events/log-partitions.ts';
import { isoTime } from '../lib/clock.ts';
import type { Kernel } from './kernel.ts';

const keepDays = 30;
const everyMs = 60 * 60 * 1000;
/** How long after the start the first old events are dropped, and the next try after somebody held the log, such as a backup. */
const soonMs = 60 * 1000;

/** While rows are moved out of `events_default` readers of the log wait, so more than these do not move: the table itself becomes the
 * partition of their time. */
const mostMoved = 50_000;

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
const defaultStepMs = 2000;
/** 1 January 1970 was a Thursday. */
const firstMonday = 4 * dayMs;

const startOfWeek = (ms: number): number => ms - ((ms - firstMonday) % weekMs);
const weekFrom = (ms: number): Week => ({ starts: isoTime(ms), ends: isoTime(ms + weekMs) });

const dateOf = (time: string): string => time.slice(0, 10).replaceAll('-', '');
/** The name has the Monday, such as `events_20260105`. */
const nameOf = ({ starts }: Week): string => `events_${dateOf(starts)}`;

const isIn = (partition: Partition, week: Week): boolean =>
  partition.ends !== null &&
  (partition.starts === null || partition.starts <= week.starts) &&
  week.ends <= partition.ends;

/** A run of retention. */
type Retention = Pick<Kernel, 'db'> & {
  /** Looked at between steps: whoever stops the server waits for one step only. */
  isStopped?(): boolean;
  /** How long a step that deletes rows may take. */
  stepMs?: number;
  onDropped?(table: string): void;
};

const oldestAt = (now: number): string => isoTime(now - keepDays * dayMs);

const overlaps = (partition: Partition, { starts, ends }: Week): boolean =>
  partition.ends !== null &&
  partition.ends > starts &&
  (partition.starts === null || partition.starts < ends);

/** Makes a partition of all weeks from the first to the last that has too many rows to be moved. Where there are other partitions
 * between them, which no run of this makes, they stay until they are too old. */
const splitHeavy = async ({ db }: Retention, stray: { week: string; count: number }[]): Promise<void> => {
  const heavy = stray.filter(({ count }) => count > mostMoved).map(({ week }) => Date.parse(week));
  const [first, last] = [heavy[0], heavy.at(-1)];
  if (first === undefined || last === undefined) return;
  const time = { starts: weekFrom(first).starts, ends: weekFrom(last).ends };
  if ((await listPartitions(db)).some((partition) => overlaps(partition, time))) return;
  await splitDefault(db, first === last ? nameOf(time) : `${nameOf(time)}_${dateOf(time.ends)}`, time);
};

/** Makes the partitions of this week and the next, and of weeks whose rows found none. */
const makePartitions = async (retention: Retention, now: number): Promise<void> => {
  const { db, isStopped } = retention;
  const oldest = oldestAt(now);
  await splitHeavy(retention, await listStrayWeeks(db, oldest));
  const partitions = await listPartitions(db);
  const [thisWeek, nextWeek] = [startOfWeek(now), startOfWeek(now) + weekMs];
  // Rows from later, by a wrong clock, wait until their week has come.
  const stray = (await listStrayWeeks(db, oldest)).filter(({ week }) => Date.parse(week) <= nextWeek);
  const starts = new Set([nextWeek, thisWeek, ...stray.map(({ week }) => Date.parse(week))]);
  for (const { week, count } of stray) if (count > mostMoved) starts.delete(Date.parse(week));
  for (const week of [...starts].map(weekFrom))
    if (!isStopped?.() && !partitions.some((partition) => isIn(partition, week)))
      await addWeek(db, nameOf(week), week);
};

/** Whether it is longer than a week, or has no end: it may be long before it can be dropped. */
const isLong = ({ starts, ends }: Partition): boolean =>
  starts === null || ends === null || Date.parse(ends) - Date.parse(starts) > weekMs;

/** Drops the partitions that ended long enough ago, and deletes such rows from the long ones. */
const removeOld = async (retention: Retention, oldest: string): Promise<void> => {
  const { db, isStopped = () => false, stepMs = defaultStepMs, onDropped = () => undefined } = retention;
  const partitions = await listPartitions(db);
  for (const { name, ends } of partitions)
    if (ends !== null && ends <= oldest && !isStopped()) await detachPartition(db, name);
  if (isStopped()) return;
  await dropDetached(db, onDropped);
  for (const partition of partitions)
    if (isLong(partition) && (partition.ends === null || partition.ends > oldest) && !isStopped())
      await deleteRowsBefore(db, { name: partition.name, time: oldest, isStopped, stepMs });
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
