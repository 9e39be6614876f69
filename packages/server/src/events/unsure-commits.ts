import { ParleyError } from '@parley/protocol';
import { type Kysely, sql } from 'kysely';
import type { Bus, BusEvent } from '../bus/bus.ts';
import type { Database } from '../db/schema.ts';
import type { Clock } from '../lib/clock.ts';

/** A transaction whose commit was sent and never answered. */
export type UnsureCommit = {
  /** PostgreSQL's number of the transaction; undefined where it had nothing to publish. */
  xid: string | undefined;
  /** Entries that caches must forget, whatever the outcome. */
  stale: Extract<BusEvent, { kind: 'stale' }>[];
  /** Events whose notice to the other servers is part of the commit. */
  sure: Extract<BusEvent, { kind: 'users' }>[];
  /** Events to publish and functions to call if it was committed, in order. */
  afterCommit: (BusEvent | (() => void))[];
};

/** Reads what the log keeps of events as events. */
export type LogReading = { read(payloads: readonly string[]): Promise<string[]> };

type Deps = {
  db: Kysely<Database>;
  logReading: LogReading;
  bus: Bus;
  clock: Clock;
  log: { error(details: object, text: string): void };
  isEnding(): boolean;
};

const firstPauseMs = 50;
const longestPauseMs = 2000;

/** Whether the connection broke, so that nobody knows what became of its last statement. */
export const isConnectionLost = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof ParleyError) return false;
  const severity = 'severity' in error ? error.severity : undefined;
  return severity === undefined || severity === 'FATAL' || severity === 'PANIC';
};

/** The number of a transaction that has written something. */
export const currentXid = async (db: Kysely<Database>): Promise<string | undefined> => {
  const { rows } = await sql<{
    xid: string | null;
  }>`select pg_current_xact_id_if_assigned()::text as xid`.execute(db);
  return rows[0]?.xid ?? undefined;
};

const statusOf = async (db: Kysely<Database>, xid: string): Promise<string | null> => {
  const { rows } = await sql<{
    status: string | null;
  }>`select pg_xact_status(${xid}::text::xid8) as status`.execute(db);
  return rows[0]?.status ?? null;
};

/** The event as the log has it now: since it was stored its message may have been edited, or gone with its channel. */
const asLogged = async ({ db, logReading }: Deps, event: BusEvent): Promise<BusEvent | undefined> => {
  if (event.kind !== 'channel' || event.seq === undefined) return event;
  const row = await db
    .selectFrom('events')
    .select('payload')
    .where('cid', '=', event.cid)
    .where('seq', '=', event.seq)
    .executeTakeFirst();
  // A channel that is deleted for good takes its log along: the event itself carries no message.
  if (!row && event.type === 'channel.deleted') return event;
  const [json] = row ? await logReading.read([row.payload]) : [];
  return json === undefined ? undefined : { ...event, json };
};

/** Finds out what became of commits whose answer was lost, and publishes what they stored: without that, no client receives it
 * until the next event. */
export const createUnsureCommits = (deps: Deps) => {
  const { db, bus, clock, log, isEnding } = deps;
  const pause = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(() => resolve(), ms));

  const look = async ({ xid, stale, afterCommit }: UnsureCommit): Promise<boolean | undefined> => {
    const status = xid === undefined ? 'aborted' : await statusOf(db, xid);
    if (status === 'in progress') return undefined;
    const isCommitted = status === 'committed';
    const logged = await Promise.all(
      isCommitted
        ? afterCommit.map((step) => (typeof step === 'function' ? step : asLogged(deps, step)))
        : [],
    );
    // Again: a cache may have read the old row before the commit came through.
    for (const event of stale) bus.publish(event);
    for (const step of logged)
      if (typeof step === 'function') step();
      else if (step) bus.publish(step);
    return isCommitted;
  };

  /** Whether it was committed. Asks until the database answers; undefined when the server stops before. */
  return async (commit: UnsureCommit): Promise<boolean | undefined> => {
    for (const event of commit.stale) bus.publish(event);
    for (let ms = firstPauseMs; !isEnding(); ms = Math.min(ms * 2, longestPauseMs)) {
      try {
        const outcome = await look(commit);
        if (outcome !== undefined) return outcome;
      } catch (error) {
        log.error({ err: error }, 'the outcome of a commit is not known yet');
      }
      await pause(ms);
    }
    return undefined;
  };
};
export type SettleCommit = ReturnType<typeof createUnsureCommits>;
