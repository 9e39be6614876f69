import type { Link } from '../bus/link.ts';
import { listPlaces } from '../db/notifications.ts';
import type { Db } from '../db/schema.ts';
import type { Clock } from '../lib/clock.ts';
import type { Delays } from './delays.ts';
import { Peers } from './peers.ts';
import type { Sender } from './sender.ts';
import { beat, deleteOldEntries, type Roll, registerServer, removeServers } from './store.ts';

type Deps = {
  self: string;
  db: Db;
  clock: Clock;
  link: Pick<Link, 'isUp'>;
  sender: Pick<Sender, 'send' | 'beat'>;
  delays: Delays;
  /** The first other server is there, or the last is gone. */
  onShared(isShared: boolean): void;
  /** Texts of other servers may have been lost. */
  onDoubt(): void;
  /** A server that was silent sends again: what it sent meanwhile may be lost. */
  onNoLongerSilent(serverId: string): void;
  /** The others took this server for dead. */
  onUnlisted(): void;
  /** A server is gone, with its connections; it said so, or it died. */
  onGone(serverId: string, isDead: boolean): void;
};

/** How long a new server waits for the others to know of it before it takes connections. */
const welcomeMs = 2500;
const cleanEveryMs = 10 * 60 * 1000;
const mostLeft = 100;
/** Each server finds out within two seconds that it is not on the list. */
const relistMs = 5000;

/** Knows which servers are alive: by the texts that they send, and by the database where no text arrives. */
export class Membership {
  readonly peers: Peers;
  #deps: Deps;
  #isShared = false;
  /** The servers that said goodbye: a text of theirs that comes late brings none of them back. */
  #left = new Set<string>();
  #cleanedAt: number;
  /** When this server was put on the list again. */
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Resolves the wait for the welcome of others. */
  #onWelcome: () => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.peers = new Peers(deps.clock);
    this.#cleanedAt = deps.clock.elapsed();
  }

  get isShared(): boolean {
    return this.#isShared;
  }

  /** Whether no text of the server came for a while, or ever. */
  isSilent(id: string): boolean {
    return !this.peers.has(id) || this.peers.isSilent(id);
  }

  /** The servers that are alive know of this one when it resolves, or were silent for longer than it takes them to look at the
   * database. One that was killed a moment ago holds no place there: nobody waits for it. */
  async join(): Promise<void> {
    const { self, db, sender, link, clock } = this.#deps;
    await registerServer(db, self);
    const { alive } = await this.#beat();
    for (const id of alive) this.#add(id);
    sender.send('all', { kind: 'hello' });
    if (alive.length === 0 || !link.isUp()) return;
    const places = await listPlaces(db, alive);
    const until = clock.elapsed() + welcomeMs;
    while (places.some((id) => this.peers.isSilent(id)) && clock.elapsed() < until)
      await this.#welcomed(until);
  }

  async #beat(): Promise<Roll> {
    const { self, db, clock, delays } = this.#deps;
    const askedAt = clock.now();
    const roll = await beat(db, self);
    if (roll.now !== undefined) delays.setClock(roll.now, askedAt, clock.now());
    return roll;
  }

  #welcomed(until: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, until - this.#deps.clock.elapsed()));
      this.#onWelcome = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async leave(): Promise<void> {
    const { self, db, sender } = this.#deps;
    sender.send('all', { kind: 'leaving' });
    await removeServers(db, [self]);
  }

  /** A text of this server came. */
  receivedFrom(id: string): void {
    if (this.#left.has(id)) return;
    const wasSilent = this.peers.receivedFrom(id);
    this.#setShared();
    if (wasSilent) {
      this.#deps.onDoubt();
      this.#deps.onNoLongerSilent(id);
    }
    this.#onWelcome();
  }

  remove(id: string, isDead: boolean): void {
    if (!isDead) this.#noteLeft(id);
    if (!this.peers.remove(id)) return;
    this.#deps.onDoubt();
    this.#deps.onGone(id, isDead);
    this.#setShared();
  }

  /** Several times a second: a sign of life on the bus, and a look for servers that give none. */
  tick(): void {
    if (!this.#isShared) return;
    this.#deps.sender.beat();
    if (!this.#deps.link.isUp() || this.peers.hasSilent()) this.#deps.onDoubt();
  }

  /** Every two seconds: the same in the database, for servers that no text reaches. */
  async poll(): Promise<void> {
    const { self, db, sender, clock } = this.#deps;
    const { isListed, alive, silent } = await this.#beat();
    // The others took this server for dead, or the database was started again.
    if (!isListed) {
      await registerServer(db, self);
      this.#listedAt = clock.elapsed();
    }
    const unknown = alive.filter((id) => !this.peers.has(id) && !this.#left.has(id));
    for (const id of unknown) this.#add(id);
    if (unknown.length > 0 || !isListed) sender.send('all', { kind: 'hello' });
    if (!isListed) this.#deps.onUnlisted();
    const dead = silent.filter((id) => this.isSilent(id));
    if (dead.length > 0) await removeServers(db, dead);
    // A database that crashed has lost its list: the others put themselves on it again.
    const isListWhole = clock.elapsed() - this.#listedAt > relistMs;
    for (const id of this.peers.ids())
      if (isListWhole && !alive.includes(id) && this.peers.isSilent(id)) this.remove(id, true);
    await this.#clean();
  }

  #noteLeft(id: string): void {
    this.#left.add(id);
    const [first] = this.#left;
    if (this.#left.size > mostLeft && first !== undefined) this.#left.delete(first);
  }

  #add(id: string): void {
    this.peers.add(id);
    this.#setShared();
  }

  #setShared(): void {
    const isShared = this.peers.size > 0;
    if (isShared === this.#isShared) return;
    this.#isShared = isShared;
    this.#deps.onShared(isShared);
  }

  async #clean(): Promise<void> {
    const now = this.#deps.clock.elapsed();
    if (now - this.#cleanedAt < cleanEveryMs) return;
    this.#cleanedAt = now;
    await deleteOldEntries(this.#deps.db);
  }
}
