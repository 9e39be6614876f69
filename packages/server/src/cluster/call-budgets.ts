import { setTimeout as pause } from 'node:timers/promises';
import type { LimitNews } from '../bus/link-text.ts';
import type { Clock } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';
import type { Ask, Grant } from './limits-store.ts';

export type Limit = { most: number; windowMs: number };
/** The calls of the window with this one, and when the window ends. More than the limit: the call is refused. */
export type Count = { current: number; ttl: number };

/** The other servers, as far as budgets need them. */
export type Deployment = {
  servers(): number;
  start(keys: readonly string[]): Promise<void>;
  grant(asks: readonly Ask[]): Promise<Grant[]>;
  giveBack(key: string, calls: number): Promise<void>;
  send(news: LimitNews): void;
  onError(error: unknown): void;
};

type Budget = {
  limit: Limit;
  startedAt: number;
  /** Calls that this server let through in the window. */
  used: number;
  /** Calls that the deployment granted this server in the window. */
  granted: number;
  /** Calls that it granted to all servers, as far as known; undefined where this server has not asked and knows nobody who has. */
  spent: number | undefined;
  /** The number of calls from which on this server asks for more. */
  askFrom: number;
  deniedAt: number;
  waiting: number;
  asking: Promise<void> | undefined;
};

type Granted = { asks: readonly Ask[]; grants: readonly Grant[] };

const mostCallers = 50_000;
/** All servers together may let through a tenth of the limit before they ask: most callers never come that far. */
const freePart = 10;
const leastPart = 50;
/** How long a server that was denied more refuses before it asks again: another may have given some back. */
const deniedMs = 250;
/** How long the others have to give back what they do not use, before a call is refused. */
const giveBackMs = 60;
/** How long calls wait for a database that does not answer. */
const mostGrantMs = 1000;

const freeCalls = ({ most }: Limit, servers: number): number =>
  Math.max(1, Math.floor(most / freePart / servers));

/** Counts the calls of each caller in a window of time, for all servers of the deployment together. A server that is alone counts in
 * memory. Of several each is granted calls by the database, ahead and in portions, so that a call waits only where a portion is used
 * up before the next has come. */
export class CallBudgets {
  #clock: Clock;
  #budgets = createLru<Budget>(mostCallers);
  #deployment: Deployment | undefined;
  #queue: { key: string; budget: Budget }[] = [];
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #isGranting = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(deployment: Deployment): void {
    this.#deployment = deployment;
  }

  take(key: string, limit: Limit): Count | Promise<Count> {
    const budget = this.#budgetOf(key, limit);
    if (this.#isAlone && budget.spent === undefined) {
      if (budget.used >= limit.most) return this.#refused(budget);
      budget.used++;
      return this.#counted(budget);
    }
    return this.#takeShared(key, budget) ?? this.#wait(key, budget);
  }

  /** Another server is there: it learns which callers used much of their budget here. */
  onShared(): void {
    const now = this.#clock.elapsed();
    for (const [key, budget] of this.#budgets.entries())
      if (this.#isCurrent(budget, now) && budget.used > freeCalls(budget.limit, this.#servers))
        void this.#ask(key, budget);
  }

  /** News of another server: portions that it was granted, and budgets of which it was denied more. */
  receive({ spent, wanted }: LimitNews): void {
    for (const { key, most, windowMs, calls, ageMs } of spent) {
      const budget = this.#budgetOf(key, { most, windowMs });
      budget.spent = Math.max(calls, budget.spent ?? 0);
      budget.startedAt = this.#clock.elapsed() - ageMs;
    }
    for (const key of wanted) this.#giveBack(key);
  }

  get #servers(): number {
    return this.#deployment?.servers() ?? 1;
  }

  get #isAlone(): boolean {
    return this.#servers === 1;
  }

  #isCurrent({ startedAt, limit }: Budget, now: number): boolean {
    return now - startedAt < limit.windowMs;
  }

  #budgetOf(key: string, limit: Limit): Budget {
    const now = this.#clock.elapsed();
    const known = this.#budgets.get(key);
    // One that waits for an answer is kept: the answer is written into it.
    if (known && (this.#isCurrent(known, now) || known.asking)) return known;
    const budget: Budget = {
      ...{ limit, startedAt: now, used: 0, granted: 0, spent: undefined, askFrom: 0 },
      ...{ deniedAt: Number.NEGATIVE_INFINITY, waiting: 0, asking: undefined },
    };
    budget.askFrom = Math.ceil(freeCalls(limit, this.#servers) / 2);
    this.#budgets.set(key, budget);
    return budget;
  }

  /** Undefined where the call has to wait for a grant. */
  #takeShared(key: string, budget: Budget): Count | undefined {
    const { limit, spent, granted } = budget;
    const free = spent === undefined && granted === 0 ? freeCalls(limit, this.#servers) : 0;
    if (budget.used < granted + free) {
      budget.used++;
      const isMoreLeft = (spent ?? 0) < limit.most;
      if (budget.used >= budget.askFrom && isMoreLeft && !budget.asking) void this.#ask(key, budget);
      return this.#counted(budget);
    }
    const isDenied = this.#clock.elapsed() - budget.deniedAt < deniedMs;
    return isDenied && !budget.asking ? this.#refused(budget) : undefined;
  }

  async #wait(key: string, budget: Budget): Promise<Count> {
    budget.waiting++;
    try {
      for (let isLast = this.#isAlone; ; ) {
        await this.#ask(key, budget);
        const count = this.#takeShared(key, budget);
        if (!count) continue;
        if (isLast || count.current <= budget.limit.most) return count;
        // The others were asked for what they do not use.
        await pause(giveBackMs);
        isLast = true;
      }
    } finally {
      budget.waiting--;
    }
  }

  #counted(budget: Budget): Count {
    const { limit, used, granted, spent } = budget;
    const left = spent === undefined ? limit.most - used : granted - used + limit.most - spent;
    return { current: limit.most - Math.max(0, Math.min(limit.most, left)), ttl: this.#ttl(budget) };
  }

  #refused(budget: Budget): Count {
    return { current: budget.limit.most + 1, ttl: this.#ttl(budget) };
  }

  #ttl({ startedAt, limit }: Budget): number {
    return Math.max(1, Math.ceil(startedAt + limit.windowMs - this.#clock.elapsed()));
  }

  /** Those who ask while a statement is under way share the next. */
  #ask(key: string, budget: Budget): Promise<void> {
    if (budget.asking) return budget.asking;
    this.#queue.push({ key, budget });
    this.#next ??= this.#running.then(() => {
      this.#running = this.#askForAll();
      return this.#running;
    });
    budget.asking = this.#next;
    return this.#next;
  }

  async #askForAll(): Promise<void> {
    const asked = new Map(this.#queue.map(({ key, budget }) => [key, budget]));
    this.#queue = [];
    this.#next = undefined;
    const deployment = this.#deployment;
    if (!deployment) return;
    const { asks, grants } = await this.#grantInTime(deployment, asked);
    const owed = new Map(asks.map((ask) => [ask.key, ask.owed]));
    const known = new Set(grants.map(({ key }) => key));
    for (const grant of grants) this.#receiveGrant(asked.get(grant.key), grant);
    const denied = grants.filter(({ key, calls }) => calls < (owed.get(key) ?? 0));
    this.#sendNews(deployment, asked, grants, denied);
    for (const [key, budget] of asked) {
      if (!known.has(key)) this.#useOwnPart(budget);
      budget.asking = undefined;
    }
  }

  /** Nothing is granted where the database does not answer in time. Until the statement has ended it is not asked again: each
   * further one would hold a connection as well. */
  async #grantInTime(deployment: Deployment, asked: ReadonlyMap<string, Budget>): Promise<Granted> {
    const nothing: Granted = { asks: [], grants: [] };
    if (this.#isGranting) return nothing;
    this.#isGranting = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The database grants no calls in time')), mostGrantMs);
    });
    const granted = this.#grant(deployment, asked).finally(() => {
      clearTimeout(timer);
      this.#isGranting = false;
    });
    return Promise.race([granted, late]).catch((error: unknown) => {
      deployment.onError(error);
      return nothing;
    });
  }

  async #grant(deployment: Deployment, asked: ReadonlyMap<string, Budget>): Promise<Granted> {
    const fresh = [...asked].flatMap(([key, { spent }]) => (spent === undefined ? [key] : []));
    if (fresh.length > 0) await deployment.start(fresh);
    const asks = [...asked].map(([key, budget]) => this.#askOf(key, budget));
    return { asks, grants: await deployment.grant(asks) };
  }

  #askOf(key: string, { limit, used, granted, waiting }: Budget): Ask {
    const { most, windowMs } = limit;
    return {
      ...{ key, most, windowMs, balance: granted - used },
      owed: Math.max(0, used + waiting - granted),
      least: Math.max(1, Math.ceil(most / leastPart)),
    };
  }

  #receiveGrant(budget: Budget | undefined, { calls, spent, age_ms: ageMs }: Grant): void {
    if (!budget) return;
    budget.granted += calls;
    budget.spent = spent;
    budget.startedAt = this.#clock.elapsed() - ageMs;
    budget.askFrom = budget.granted - Math.floor((budget.granted - budget.used) / 2);
    if (calls === 0) budget.deniedAt = this.#clock.elapsed();
  }

  #sendNews(
    deployment: Deployment,
    asked: ReadonlyMap<string, Budget>,
    grants: readonly Grant[],
    denied: readonly Grant[],
  ): void {
    if (this.#isAlone || grants.length === 0) return;
    const spent = grants.flatMap(({ key, spent: calls, age_ms: ageMs }) => {
      const limit = asked.get(key)?.limit;
      return limit ? [{ key, ...limit, calls, ageMs }] : [];
    });
    deployment.send({ spent, wanted: denied.map(({ key }) => key), failed: [] });
  }

  /** The database does not answer: an equal part of the limit holds for each server. */
  #useOwnPart(budget: Budget): void {
    budget.granted = Math.max(budget.granted, Math.floor(budget.limit.most / this.#servers));
    budget.askFrom = budget.granted;
    budget.deniedAt = this.#clock.elapsed();
  }

  #giveBack(key: string): void {
    const budget = this.#budgets.get(key);
    const deployment = this.#deployment;
    if (!budget || !deployment || budget.asking || !this.#isCurrent(budget, this.#clock.elapsed())) return;
    const unused = budget.granted - budget.used;
    if (unused <= 0) return;
    budget.granted = budget.used;
    deployment.giveBack(key, unused).catch(deployment.onError);
  }
}
