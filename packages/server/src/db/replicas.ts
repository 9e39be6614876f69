import { setTimeout as pause } from 'node:timers/promises';
import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { codeOf } from '../lib/code-of.ts';
import { createKeptConnection, type KeptConnection } from './kept-connection.ts';
import {
  type Position,
  type PrimaryPosition,
  readPosition,
  statements,
  unknown,
} from './replica-positions.ts';

type Warn = (details: object, text: string) => void;

export type ReplicaDeps = {
  urls: readonly string[];
  open(url: string): { pool: pg.Pool; connect(): Promise<pg.Client> };
  connectPrimary(): Promise<pg.Client>;
  warn: Warn;
};

/** A connection to a replica that has everything that was committed when it was asked for. */
export type Standby = {
  client: pg.PoolClient;
  /** Runs on the primary what failed here, unless it took too long: it would there as well. */
  recover<T>(error: unknown, onPrimary: () => Promise<T>): Promise<T>;
  release(): void;
};

/** How long a read waits for the replica to come as far as the primary was; then the primary is asked. */
const waitMs = 100;
/** A replica that is further behind than this is left out. */
const mostDelayMs = 1000;
const checkMs = 1000;
const pollMs = 2;

const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname || 'its socket'}:${port || '5432'}`;
};

const reasonOf = (error: unknown): string => (error instanceof Error && error.message) || String(error);

/** A place in the log that a run of the primary wrote. */
type Point = { position: number; run: string | null };
type Waiting = Point & { resolve(isThere: boolean): void };
const anywhere: Point = { position: 1, run: null };

/** One replica: how far it is, and whether it is used. */
class Replica {
  readonly pool: pg.Pool;
  readonly place: string;
  isUsed = false;
  /** How far it is behind, by the last check. */
  delayMs = 0;
  #connection: KeptConnection;
  #warn: Warn;
  #replayed = 0;
  #deployment = '';
  #run: string | null = null;
  /** It was left out, which the log says once. */
  #isMissed = false;
  #isEnding = false;
  #waiting = new Set<Waiting>();
  #following: Promise<void> | undefined;

  constructor(url: string, { open, warn }: ReplicaDeps) {
    const { pool, connect } = open(url);
    this.pool = pool;
    this.place = placeOf(url);
    this.#connection = createKeptConnection(async () => {
      const client = await connect();
      // After a restart it may be less far than it was.
      client.once('end', () => this.leaveOut('its connection has ended'));
      return client;
    });
    this.#warn = warn;
  }

  /** Whether it has replayed the log of the primary up to the position, or does so in time. */
  async reaches(point: Point, ms: number): Promise<boolean> {
    if (this.#isAt(point)) return true;
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting | undefined;
    const isThere = await new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ms, false);
      waiting = { ...point, resolve };
      this.#waiting.add(waiting);
      this.#following ??= this.#follow().finally(() => {
        this.#following = undefined;
      });
    });
    clearTimeout(timer);
    if (waiting) this.#waiting.delete(waiting);
    return isThere;
  }

  async check(askPrimary: () => Promise<Position>): Promise<void> {
    // One that is gone is found out also while nothing is written.
    this.#replayed = 0;
    await this.reaches(anywhere, mostDelayMs);
    const replayed = this.#replayed;
    const { position, deployment, run } = await askPrimary();
    if (position === null) return;
    const startedAt = performance.now();
    const isThere = replayed > 0 && (await this.reaches({ position, run }, mostDelayMs));
    this.delayMs = performance.now() - startedAt;
    // One that belongs to another database has positions of its own, and other people's messages.
    if (replayed > 0 && this.#deployment !== deployment) this.leaveOut('it holds another database');
    // It follows a primary that is no longer one, and has messages that were lost when this one took its place.
    else if (replayed > position) this.leaveOut('it is ahead of the primary');
    else if (!isThere && this.#replayed >= position) this.leaveOut('it follows another primary');
    else if (!isThere) this.leaveOut(`it is more than ${mostDelayMs} ms behind`);
    else {
      if (this.#isMissed) this.#warn({ replica: this.place }, 'a read replica is used again');
      this.isUsed = true;
      this.#isMissed = false;
    }
  }

  /** It is not used before the next check. */
  distrust(): void {
    this.#replayed = 0;
    this.isUsed = false;
  }

  leaveOut(reason: string): void {
    this.distrust();
    if (this.#isMissed || this.#isEnding) return;
    this.#isMissed = true;
    this.#warn({ replica: this.place, reason }, 'a read replica is left out until it answers again');
  }

  async end(): Promise<void> {
    this.isUsed = false;
    this.#isEnding = true;
    await this.#connection.end();
    await this.pool.end();
  }

  /** One question at a time, for all who wait. */
  async #follow(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const { position, deployment, run } =
          (await readPosition(this.#connection, statements.replica)) ?? unknown;
        if (position === null) throw new Error('it is not a standby');
        this.#replayed = position;
        this.#deployment = deployment;
        this.#run = run;
        for (const one of this.#waiting) if (this.#isAt(one)) this.#settle(one, true);
        if (this.#waiting.size > 0) await pause(pollMs);
      }
    } catch (error) {
      this.leaveOut(reasonOf(error));
      for (const one of this.#waiting) this.#settle(one, false);
    }
  }

  #isAt({ position, run }: Point): boolean {
    return this.#replayed >= position && (run === null || this.#run === run);
  }

  #settle(one: Waiting, isThere: boolean): void {
    this.#waiting.delete(one);
    one.resolve(isThere);
  }
}

const queryCanceled = '57014';

/** Servers that answer reads in place of the primary. A read never finds less than it would there: it waits until the replica has
 * replayed what the primary had flushed when the read came, or goes to the primary. So a caller finds what they, or anybody, wrote
 * before, through whichever server. A replica that is down, late or no replica is left out and tried again every second. */
export class Replicas {
  /** Reads by who answered them. */
  readonly counts = { replica: 0, primary: 0 };
  #replicas: Replica[];
  #primary: KeptConnection;
  #turn = 0;
  #next: Promise<PrimaryPosition> | undefined;
  #asking: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout;
  #checking: Promise<void> | undefined;

  constructor(deps: ReplicaDeps) {
    this.#replicas = deps.urls.map((url) => new Replica(url, deps));
    this.#primary = createKeptConnection(() => {
      // After a failover it is another server, and the replicas may not be its own.
      for (const replica of this.#replicas) replica.distrust();
      return deps.connectPrimary();
    });
    this.#check();
    this.#timer = setInterval(() => this.#check(), checkMs);
    this.#timer.unref();
  }

  /** The numbers for metrics. */
  get status() {
    const used = this.#replicas.filter(({ isUsed }) => isUsed);
    return { used: used.length, delayMs: Math.max(0, ...used.map(({ delayMs }) => delayMs)) };
  }

  /** Undefined: the primary is to be asked. */
  async connect(): Promise<Standby | undefined> {
    const used = this.#replicas.filter(({ isUsed }) => isUsed);
    this.#turn = (this.#turn + 1) % Math.max(1, used.length);
    const replica = used[this.#turn];
    const standby = replica && (await this.#connectTo(replica));
    if (standby) this.counts.replica++;
    else this.counts.primary++;
    return standby;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
    await this.#primary.end();
    await Promise.all(this.#replicas.map((replica) => replica.end()));
  }

  async #connectTo(replica: Replica): Promise<Standby | undefined> {
    // Where the primary does not answer, the error of the read itself says so.
    const { position, run } = await this.#position().catch(() => unknown);
    if (position === null || !replica.isUsed || !(await replica.reaches({ position, run }, waitMs)))
      return undefined;
    try {
      return this.#standby(replica, await replica.pool.connect());
    } catch (error) {
      replica.leaveOut(reasonOf(error));
      return undefined;
    }
  }

  #standby(replica: Replica, client: pg.PoolClient): Standby {
    let isBroken = false;
    return {
      client,
      recover: async (error, onPrimary) => {
        const code = codeOf(error);
        if (error instanceof ParleyError || code === queryCanceled) throw error;
        // Errors of the connection have no code of PostgreSQL; a conflict with what is replayed is of this read alone.
        isBroken = !/^[0-9A-Z]{5}$/.test(code ?? '') || code?.startsWith('57P') === true;
        if (isBroken) replica.leaveOut(reasonOf(error));
        this.counts.replica--;
        this.counts.primary++;
        return onPrimary();
      },
      release: () => client.release(isBroken),
    };
  }

  /** One question at a time. Those who come meanwhile share the next: the one under way may have been answered before they came. */
  #position(): Promise<PrimaryPosition> {
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined;
      const asked = readPosition<PrimaryPosition>(this.#primary, statements.primary);
      this.#asking = asked.catch(() => undefined);
      return asked.then((found) => found ?? unknown);
    });
    return this.#next;
  }

  /** Stores which primary this is, for its replicas. */
  async #storeRun(): Promise<void> {
    const { run, stored } = await this.#position();
    if (run !== stored) await (await this.#primary.get()).query(statements.storeRun);
  }

  #check(): void {
    this.#checking ??= this.#checkAll()
      // The primary is away: nobody is asked until it is back.
      .catch(() => undefined)
      .finally(() => {
        this.#checking = undefined;
      });
  }

  async #checkAll(): Promise<void> {
    await this.#storeRun();
    await Promise.all(this.#replicas.map((replica) => replica.check(() => this.#position())));
  }
}
