import { randomUUID } from 'node:crypto';
import type { Bus, BusEvent, StoredEvent } from '../bus/bus.ts';
import type { Link } from '../bus/link.ts';
import { type LostUsers, writeLinkText } from '../bus/link-text.ts';
import { notifyServersInside } from '../db/notifications.ts';
import type { Pools } from '../db/pool.ts';
import type { Db } from '../db/schema.ts';
import { type Cursor, listEventsAfter } from '../events/event-log.ts';
import type { LogReading } from '../events/unsure-commits.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import { channelBroken, channelGone } from './channel-notices.ts';
import { ChannelOrder } from './channel-order.ts';
import { createComparison } from './comparison.ts';
import { Delays } from './delays.ts';
import { Membership } from './membership.ts';
import { packNotifications } from './notify-link.ts';
import type { Others } from './others.ts';
import { Questions } from './questions.ts';
import { Receiver } from './receiver.ts';
import { isStored, Sender } from './sender.ts';
import { SharedLimits } from './shared-limits.ts';
import { StaleReader } from './stale-reader.ts';
import { countWatchersElsewhere, findLogEnds, storeStale, storeText, storeWatchers } from './store.ts';
import { StoredCounts } from './stored-counts.ts';
import { sentAt, storedEventOf } from './stored-event.ts';
import { UsersOnline } from './users-online.ts';

type Log = { error(details: object, text: string): void };
type Deps = {
  pools: Pools;
  clock: Clock;
  log: Log;
  local: Bus;
  link: Link;
  /** The notifications of the database, for what is sent as part of a commit; the same as `link` where there is no other. */
  database: Link;
};

const tickMs = 250;
const pollMs = 2000;
const logPage = { most: 1000, bytes: 1024 * 1024 };

/** Makes one deployment of the servers on one database: the events, stale cache entries and presence of each reach the others. The
 * log is the truth and the bus carries hints: a text that is lost, doubled or late costs time and nothing else. A server that is
 * alone sends nothing and delivers its events at once. */
export class Cluster implements Others {
  readonly self = randomUUID();
  readonly bus: Bus;
  readonly questions: Questions;
  readonly limits: SharedLimits;
  #deps: Deps;
  #logReading: LogReading | undefined;
  /** The channels that connections of this server follow, and the users whom they are of. */
  #cids = new Set<string>();
  #held = new Set<string>();
  #users: UsersOnline;
  #delays: Delays;
  #order: ChannelOrder;
  #comparison: ReturnType<typeof createComparison>;
  #sender: Sender;
  #stale: StaleReader;
  #watchers: StoredCounts;
  #membership: Membership;
  #receiver: Receiver;
  #beginning: Promise<void> = Promise.resolve();
  #polling: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  #onUserEventsLost: (lost: LostUsers) => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { pools, clock, local, link } = deps;
    const { self } = this;
    const { db } = pools;
    const onError = this.#onError;
    const publish = local.publish;
    this.bus = {
      publish: (event) => this.#publish(event),
      subscribe: local.subscribe,
      ready: async () => link.isUp(),
    };
    this.#delays = new Delays(clock);
    this.#order = new ChannelOrder({
      ...{ clock, onError, publish },
      readEnds: (cids) => findLogEnds(db, cids),
      readAfter: (cid, seq, logId) => this.#readAfter({ cid, seq, log_id: logId }),
      onDeleted: (cid) => publish(channelGone(cid, isoTime(clock.now()))),
      onBroken: (cid) => publish(channelBroken(cid, isoTime(clock.now()))),
      onHealed: (event) => this.#delays.note(sentAt(event)),
    });
    this.#comparison = createComparison({ clock, onError, run: () => this.#order.compare() });
    this.#sender = new Sender({
      ...{ self, link, database: deps.database, db, clock, delays: this.#delays, onError },
      isSilent: (id) => this.#membership.isSilent(id),
    });
    this.#users = new UsersOnline({ clock, sender: this.#sender, isShared: () => this.#membership.isShared });
    this.questions = new Questions(this.#sender, (id) => this.#membership.peers.has(id));
    this.#stale = new StaleReader({ self, db, clock, publish });
    this.#watchers = new StoredCounts({
      onError,
      isShared: () => this.#membership.isShared,
      store: (counts) => storeWatchers(db, self, counts),
      countElsewhere: (cids) => countWatchersElsewhere(db, self, cids),
    });
    this.limits = new SharedLimits({
      ...{ self, db, onError },
      servers: () => this.#membership.peers.size + 1,
      send: (news) => this.#sender.send('all', { kind: 'limits', ...news }),
    });
    this.#membership = new Membership({
      ...{ self, db, clock, link, sender: this.#sender, delays: this.#delays },
      onShared: (isShared) => this.#onShared(isShared),
      onDoubt: this.#comparison.start,
      onNoLongerSilent: (id) => this.#sender.send(`server ${id}`, { kind: 'hello' }),
      onUnlisted: () => this.#onUnlisted(),
      onGone: (id, isDead) => {
        this.questions.onGone(id);
        this.#users.onGone(id, isDead);
        if (isDead) this.#onUserEventsLost('all');
      },
    });
    this.#receiver = new Receiver({
      ...{ self, db, local, onError, questions: this.questions },
      ...{ order: this.#order, users: this.#users, delays: this.#delays, membership: this.#membership },
      follows: (cid) => this.#cids.has(cid),
      holds: (userId) => this.#held.has(userId),
      publishFirst: (event) => this.#publishFirst(event),
      onHello: (from, lost) => this.#onHello(from, lost),
      onLimits: (news) => this.limits.receive(news),
    });
  }

  /** Whether another server is alive. */
  get isShared(): boolean {
    return this.#membership.isShared;
  }

  /** The numbers for metrics: `healed` and `lost` are holes of logs, `dropped` are texts that were not sent, `delay` is the time from the commit of
   * an event on another server to here, `isUp` whether the bus is there. */
  get counts() {
    return {
      ...{ ...this.#order.counts, ...this.#sender.counts, delay: this.#delays.histogram },
      ...{ peers: this.#membership.peers.size, followed: this.#order.size, isUp: this.#deps.link.isUp() },
    };
  }

  /** Resolves when the servers that are alive send their events here. */
  async start(reading: LogReading): Promise<void> {
    this.#logReading = reading;
    const { link, database } = this.#deps;
    const listener = {
      serverId: this.self,
      onText: (text: string) => this.#receiver.receive(text),
      onUp: () => this.#onUp(),
    };
    await link.start(listener);
    if (database !== link)
      await database.start({ ...listener, onText: (text) => this.#receiver.receive(text, false) });
    link.subscribe('all');
    link.subscribe(`server ${this.self}`);
    await link.settled();
    await this.#stale.look();
    await this.#membership.join();
    this.#timers = [
      setInterval(() => this.#membership.tick(), tickMs),
      setInterval(() => this.#poll(), pollMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#watchers.stop();
    this.limits.stop();
    this.#users.stop();
    await this.#polling;
    await this.#comparison.stop();
    await this.#membership.leave().catch(() => undefined);
    const { link, database } = this.#deps;
    await link.stop();
    if (database !== link) await database.stop();
    this.#order.endAll();
  }

  followChannel(cid: string, follows: boolean): void {
    const { link } = this.#deps;
    if (follows) {
      this.#cids.add(cid);
      link.subscribe(`channel ${cid}`);
      if (this.#membership.isShared) this.#begin([cid]);
    } else {
      this.#cids.delete(cid);
      link.unsubscribe(`channel ${cid}`);
      this.#order.end(cid);
    }
  }

  holdUser(userId: string, holds: boolean): void {
    const { link } = this.#deps;
    if (holds) {
      this.#held.add(userId);
      link.subscribe(`user ${userId}`);
    } else {
      this.#held.delete(userId);
      link.unsubscribe(`user ${userId}`);
    }
  }

  following(): Promise<void> | undefined {
    if (!this.#membership.isShared) return undefined;
    return this.#deps.link.settled().then(() => this.#beginning);
  }

  setOnline(userId: string, isOnline: boolean): void {
    this.#users.set(userId, isOnline);
  }

  isOnline(userId: string): boolean {
    return this.#users.isElsewhere(userId);
  }

  setWatchers(cid: string, count: number): void {
    this.#watchers.set(cid, count);
  }

  countWatchers(cids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#watchers.elsewhere(cids);
  }

  publishHere(event: BusEvent): void {
    this.#deps.local.publish(event);
  }

  storeInside: Others['storeInside'] = async (db, { stale, sure }) => {
    if (stale.length > 0) await storeStale(db, this.self, stale);
    if (sure.length > 0 && this.#membership.isShared) await this.#sendInside(db, sure);
  };

  /** The database sends it with the commit of the transaction, and not at all without it. */
  async #sendInside(db: Db, events: readonly BusEvent[]): Promise<void> {
    const texts: string[] = [];
    for (const event of events) {
      const text = writeLinkText(this.self, { kind: 'event', event });
      if (Buffer.byteLength(text) <= this.#deps.database.mostBytes) texts.push(text);
      else texts.push(writeLinkText(this.self, { kind: 'stored', id: await storeText(db, text) }));
    }
    await notifyServersInside(db, packNotifications(texts));
  }

  catchUp(): Promise<void> | undefined {
    return this.#stale.isLate() ? this.#stale.look() : undefined;
  }

  onUsersChanged(listener: (userIds: string[], isServerDead: boolean) => void): void {
    this.#users.onChange(listener);
  }

  onUserEventsLost(listener: (lost: LostUsers) => void): void {
    this.#onUserEventsLost = listener;
  }

  #onError = (error: unknown): void => {
    const { pools, log } = this.#deps;
    if (!pools.isEnding) log.error({ err: error }, 'the servers could not be kept in step');
  };

  #publish(event: BusEvent): void {
    const { isShared } = this.#membership;
    if (isShared) this.#sender.forward(event);
    if (!isStored(event)) this.#deps.local.publish(event);
    else if (this.#order.has(event.cid))
      this.#order.take({ cid: event.cid, seq: event.seq, event, isOwn: true });
    else if (isShared) this.#publishFirst(event);
    else this.#deps.local.publish(event);
  }

  /** An event of a channel that nobody here followed, which may change that: a user of this server is its new member. Later events may
   * have been sent before this server asked for them. */
  #publishFirst(event: StoredEvent): void {
    const { local, link } = this.#deps;
    local.publish(event);
    if (!this.#order.has(event.cid)) return;
    this.#order.beginAfter(event.cid, event.seq);
    link
      .settled()
      .then(() => this.#order.compare([event.cid]))
      .catch(this.#onError);
  }

  #begin(cids: readonly string[]): void {
    const begun = this.#order.begin(cids);
    this.#beginning = Promise.all([this.#beginning, begun]).then(() => undefined);
  }

  async #readAfter(cursor: Cursor): Promise<StoredEvent[] | undefined> {
    const page = await listEventsAfter(this.#deps.pools.db, cursor, logPage);
    // The text that made caches forget what these events changed may be lost as well: a removed member would still be let in.
    if (page && page.events.length > 0) await this.#stale.look();
    return page && (await this.#logReading?.read(page.events))?.map(storedEventOf);
  }

  /** The order is kept when the last other server goes: events of it may still be read from the log. */
  #onShared(isShared: boolean): void {
    if (!isShared) return;
    this.#begin([...this.#cids]);
    this.limits.onShared();
    this.#storeCounts();
  }

  /** The others forgot who is online and who watches here. */
  #onUnlisted(): void {
    this.#users.sendAll();
    this.#storeCounts();
  }

  #storeCounts(): void {
    this.#watchers.storeAll();
    this.limits.storeAll();
  }

  /** Another server has started, or texts were lost between it and this one: it does not know who is online here. */
  #onHello(from: string, lost: LostUsers | undefined): void {
    this.#sender.send(`server ${from}`, { kind: 'welcome', to: from });
    this.#users.sendAll(`server ${from}`);
    this.#storeCounts();
    // A link may be away for less time than makes a server silent, and for more than its numbers are repeated.
    this.#comparison.start();
    if (lost !== undefined) this.#onUserEventsLost(lost);
  }

  /** The link was away: nobody knows what was sent meanwhile. */
  #onUp(): void {
    const lost = this.#sender.takeLost();
    this.#sender.send('all', { kind: 'hello', ...(lost === undefined ? {} : { lost }) });
    this.#users.sendAll();
    this.#comparison.start();
    if (this.#membership.isShared) this.#onUserEventsLost('all');
  }

  #poll(): void {
    this.#polling ??= this.#stale
      .look()
      .then(() => this.#membership.poll())
      .catch(this.#onError)
      .finally(() => {
        this.#polling = undefined;
      });
  }
}
