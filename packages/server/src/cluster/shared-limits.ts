import type { LimitNews } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import type { CallBudgets } from './call-budgets.ts';
import {
  countConnectionsElsewhere,
  grantCalls,
  returnCalls,
  startBudgets,
  storeConnections,
} from './limits-store.ts';
import { StoredCounts } from './stored-counts.ts';

type Deps = {
  self: string;
  db: Db;
  /** How many servers are alive, with this one. */
  servers(): number;
  send(news: LimitNews): void;
  onError(error: unknown): void;
};

/** How long the clients wait for a database that does not answer. */
const storeMs = 1000;

export type ConnectionKey = `user ${string}` | `address ${string}`;

/** Limits that hold for all servers together, as the parts of a server see them. */
export type Limits = {
  /** How many servers are alive, with this one. */
  servers(): number;
  /** Notes how many connections of a user or an address this server holds. */
  setConnections(key: ConnectionKey, count: number): void;
  /** Stores the number that was noted last, and counts the connections on other servers: of two servers that do so at a time, at least
   * one sees the number of the other. */
  countConnections(key: ConnectionKey): Promise<number>;
  /** Resolves when the other servers see the numbers that were noted, or after a second without an answer. */
  storeConnections(): Promise<void>;
  /** The clients of this server move to others: their connections here do not count any more, or a user at the cap could not move. */
  releaseConnections(): Promise<void>;
  send(news: LimitNews): void;
  onNews(listener: (news: LimitNews) => void): void;
};

/** The limits of a server that is alone for sure. */
export const ownLimits: Limits = {
  servers: () => 1,
  setConnections: () => undefined,
  countConnections: async () => 0,
  storeConnections: async () => undefined,
  releaseConnections: async () => undefined,
  send: () => undefined,
  onNews: () => undefined,
};

/** Counts calls and connections over all servers once it has budgets. Without, nothing is limited. */
export class SharedLimits implements Limits {
  #deps: Deps;
  #connections: StoredCounts;
  #budgets: CallBudgets | undefined;
  #listeners: ((news: LimitNews) => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    const { self, db, onError } = deps;
    this.#connections = new StoredCounts({
      onError,
      isShared: () => this.servers() > 1 && this.#budgets !== undefined,
      store: (counts) => storeConnections(db, self, counts),
      countElsewhere: (keys) => countConnectionsElsewhere(db, self, keys),
    });
  }

  /** Makes the budgets those of all servers together. */
  share(budgets: CallBudgets): void {
    const { self, db, onError } = this.#deps;
    // Each is granted only a part of the rest: with more servers a smaller one.
    const parts = () => Math.max(1, 4 * (this.servers() - 1));
    budgets.join({
      onError,
      servers: () => this.servers(),
      start: (keys) => startBudgets(db, keys),
      grant: (asks) => grantCalls(db, { self, parts: parts() }, asks),
      giveBack: (key, calls) => returnCalls(db, self, key, calls),
      send: (news) => this.send(news),
    });
    this.#budgets = budgets;
    this.onNews((news) => budgets.receive(news));
  }

  servers(): number {
    return this.#deps.servers();
  }

  setConnections(key: ConnectionKey, count: number): void {
    this.#connections.set(key, count);
  }

  countConnections(key: ConnectionKey): Promise<number> {
    return this.#connections.storeAndCount(key);
  }

  async storeConnections(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, storeMs);
    });
    await Promise.race([this.#connections.storeNow().catch(this.#deps.onError), late]);
    clearTimeout(timer);
  }

  async releaseConnections(): Promise<void> {
    await this.#connections.release().catch(this.#deps.onError);
  }

  send(news: LimitNews): void {
    if (this.servers() > 1) this.#deps.send(news);
  }

  onNews(listener: (news: LimitNews) => void): void {
    this.#listeners.push(listener);
  }

  /** News of another server. */
  receive(news: LimitNews): void {
    for (const listener of this.#listeners) listener(news);
  }

  /** The first other server is there. */
  onShared(): void {
    this.#budgets?.onShared();
  }

  /** Another server knows none of the numbers of this one. */
  storeAll(): void {
    this.#connections.storeAll();
  }

  stop(): void {
    this.#connections.stop();
  }
}
