import { closeCodes, ParleyError } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { BusEvent } from '../bus/bus.ts';
import type { LostUsers } from '../bus/link-text.ts';
import { asNotification, userEventJson } from '../events/event-json.ts';
import type { Connection, Owner } from './connection.ts';
import { createConnectionId } from './connection-id.ts';
import { createFrame, type Frame } from './frame.ts';
import { MemberNotifications } from './member-notifications.ts';
import { createMoveFrame, Renewal, startMoving } from './moving.ts';
import { Registry, type Session } from './registry.ts';
import { sinceCleared } from './since-cleared.ts';
import { eachInTurns, sweepOne } from './sweep.ts';
import { type HubKernel, Watching } from './watching.ts';

/** Questions and notices that the hub puts to the features; filled by the composition root. */
export type HubHooks = {
  mayWatch(actor: Actor, cid: string): Promise<boolean>;
  /** The time up to which the actor cleared the history of the channel. */
  clearedAt(actor: Actor, cid: string): Promise<string | undefined>;
  /** The types whose channels the actor may read where it is a member. */
  readableTypes(actor: Connection['actor']): Promise<ReadonlySet<string>>;
  /** The user as it is now, or undefined when its connections must end. */
  refresh(connection: Connection): Promise<Connection['actor'] | undefined>;
  onFirst(userId: string): void;
  onLast(userId: string): void;
  onWatch(cid: string, actor: Actor, started: boolean, watchers: number): void;
};

type Opening = Pick<Connection, 'actor' | 'sink'> & Partial<Pick<Connection, 'issued' | 'expires'>>;
/** After these no connection watches the channel any more. */
const endsWatching: ReadonlySet<string> = new Set(['channel.deleted', 'notification.channel_unwatched']);
type EventOf<K extends BusEvent['kind']> = Extract<BusEvent, { kind: K }>;

/** Delivers what the bus publishes to the connections that may get it. */
export class Hub {
  readonly counts = { frames: 0 };
  #kernel: HubKernel;
  #registry: Registry;
  #watching: Watching;
  #memberNotifications: MemberNotifications;
  #renewal: Renewal;
  #hooks: HubHooks | undefined;
  #stopListening: (() => void) | undefined;
  /** The request to connect elsewhere, once this server is about to end. */
  #leaving: Frame | undefined;

  constructor(kernel: HubKernel) {
    this.#kernel = kernel;
    const { others } = kernel;
    const registry = new Registry(others);
    this.#registry = registry;
    this.#renewal = new Renewal(kernel);
    this.#watching = new Watching({
      registry,
      kernel,
      mayWatch: async (connection, cid) => {
        // A snapshot that is read after this has every event that no other server sends any more.
        await others.following();
        if (!(await this.#hooks?.mayWatch(connection.actor, cid))) return false;
        this.#noteCleared(connection, cid, await this.#hooks?.clearedAt(connection.actor, cid));
        return true;
      },
      onChange: (connection, cid, started) => {
        const watchers = this.watcherCount(cid);
        others.setWatchers(cid, watchers);
        this.#hooks?.onWatch(cid, connection.actor, started, watchers);
      },
      onRefused: (connection, cid) =>
        connection.sink.send(
          createFrame(userEventJson('notification.channel_unwatched', kernel.now(), {}, cid)),
        ),
    });
    this.#memberNotifications = new MemberNotifications({
      registry,
      readableTypes: async (actor) => (await this.#hooks?.readableTypes(actor)) ?? new Set(),
    });
  }

  /** Comes after the caches have subscribed to the bus: a recheck must not ask one that has yet to forget. */
  listen(hooks: HubHooks): void {
    this.#hooks = hooks;
    this.#stopListening = this.#kernel.bus.subscribe((event) => this.#onEvent(event));
    this.#kernel.others.onUserEventsLost((lost) => this.#safely(this.#reconnect(lost)));
  }

  open({ actor, sink, issued, expires }: Opening): Connection {
    const connection: Connection = {
      id: createConnectionId(this.#kernel.others.self),
      actor,
      sink,
      watching: new Set(),
      cleared: new Map(),
      follows: new Map(),
      issued,
      expires,
      lastSeen: this.#kernel.clock.elapsed(),
      isMoving: false,
      watch: (cids) => Promise.all(cids.map((cid) => this.watch(connection, cid))),
      unwatch: (cids) => {
        for (const cid of cids) this.unwatch(connection, cid);
      },
      followPresence: (followed) => {
        for (const [reason, userIds] of followed) this.#registry.follow(connection, userIds, reason);
      },
      unfollowPresence: (followed) => {
        for (const [reason, userIds] of followed) this.#registry.unfollow(connection, userIds, reason);
      },
    };
    if (this.#registry.add(connection)) this.#hooks?.onFirst(actor.user.row.id);
    this.#noteCount(connection);
    if (this.#leaving) sink.send(this.#leaving);
    return connection;
  }

  close(connection: Connection): void {
    for (const cid of [...connection.watching]) this.unwatch(connection, cid);
    if (this.#registry.remove(connection)) this.#hooks?.onLast(connection.actor.user.row.id);
    this.#noteCount(connection);
  }

  /** The cap on the connections of a user holds for all servers together. */
  #noteCount({ actor }: Connection): void {
    if (actor.kind === 'anonymous') return;
    const { id } = actor.user.row;
    this.#kernel.others.limits.setConnections(`user ${id}`, this.connectionCount(id));
  }

  /** Whether the connection watches the channel now. Its rights are looked at after it began: one that lost them between an
   * earlier look and this call would go on receiving events of the channel. */
  watch(connection: Connection, cid: string): Promise<boolean> {
    return this.#watching.watch(connection, cid);
  }

  unwatch(connection: Connection, cid: string): void {
    this.#watching.unwatch(connection, cid);
  }

  /** Looks at the user again, now that a change of it finds the connection: one that came just before ended nothing. */
  async confirm(connection: Connection): Promise<void> {
    const actor = await this.#hooks?.refresh(connection);
    if (actor === undefined) throw new ParleyError('AuthenticationFailed', 'The user may no longer connect');
    connection.actor = actor;
  }

  /** Reads for which types the user of the connection is notified as a member; until then for none. */
  startMemberNotifications(connection: Connection): Promise<void> {
    return this.#memberNotifications.start(connection);
  }

  /** Takes in the user's memberships, which `read` must read after `open`: those that begin or end meanwhile are not missed. */
  async startMemberships<T extends { cids: string[] }>(userId: string, read: () => Promise<T>): Promise<T> {
    const since = this.#registry.leaves;
    const found = await read();
    this.#registry.joinChannels(userId, found.cids, since);
    return found;
  }

  /** A connection of this server, if it is the owner's. */
  findOwn(id: string, { kind, userId }: Owner): Connection | undefined {
    const connection = this.#registry.find(id);
    const isOwn = connection?.actor.kind === kind && connection.actor.user.row.id === userId;
    return isOwn ? connection : undefined;
  }

  isOnline(userId: string): boolean {
    return this.#registry.isOnline(userId);
  }

  /** Whether a connection follows the presence of the user. */
  isFollowed(userId: string): boolean {
    return this.#registry.followersOf(userId).size > 0;
  }

  /** How many connections of the user count for the cap. */
  connectionCount(userId: string): number {
    return this.#registry.countStaying(userId);
  }

  watchers(cid: string): ReadonlySet<Connection> {
    return this.#registry.watchers(cid);
  }

  /** How many connections watch the channel: with those whose rights are looked at again, which `watchers` leaves out. */
  watcherCount(cid: string): number {
    return this.#registry.watchers(cid).size + this.#watching.countHeld(cid);
  }

  size() {
    return this.#registry.size();
  }

  /** Ends who is silent or whose token ended, and asks the rest for a sign of life. */
  sweep(beat: boolean): void {
    const { clock } = this.#kernel;
    const frame = createFrame(JSON.stringify({ type: 'health.check', created_at: this.#kernel.now() }));
    eachInTurns(this.#registry.all(), (connection) => sweepOne(connection, clock, beat ? frame : undefined));
  }

  /** Asks every client to connect to another server within the time, also those that come yet. */
  askToMove(withinMs: number): void {
    const frame = createMoveFrame(this.#kernel.now(), withinMs);
    this.#leaving = frame;
    eachInTurns(this.#registry.all(), ({ sink }) => sink.send(frame));
  }

  /** Events of single users are in no log: a client that connects again reads its own state anew. */
  async #reconnect(lost: LostUsers): Promise<void> {
    const connections =
      lost === 'all' ? this.#registry.all() : lost.flatMap((id) => [...this.#registry.connectionsOf(id)]);
    for (const connection of connections) {
      startMoving(connection);
      this.#noteCount(connection);
    }
    // The next connection may be at another server, which refuses it if these count there.
    await this.#kernel.others.limits.storeConnections();
    this.#renewal.ask(connections);
  }

  stop(): void {
    this.#stopListening?.();
    for (const connection of this.#registry.all())
      connection.sink.close(closeCodes.goingAway, 'the server is going away');
  }

  #onEvent(event: BusEvent): void {
    if (event.kind === 'channel') this.#onChannelEvent(event);
    else if (event.kind === 'users') this.#onUsersEvent(event);
    else if (event.kind === 'presence') this.#onPresenceEvent(event);
    else this.#onStale(event);
  }

  #onChannelEvent({ cid, type, json, userId }: EventOf<'channel'>): void {
    const room = this.#registry.watchers(cid);
    const frame = createFrame(json);
    if (room.size > 0) this.#deliver(room, frame, cid);
    this.#watching.keep(cid, frame);
    if (type === 'message.new') this.#notifyMembers(cid, json);
    else if (type === 'member.added' && userId) this.#registry.joinChannel(cid, userId);
    else if (type === 'member.removed' && userId) this.#registry.leaveChannel(cid, userId);
    else if (endsWatching.has(type))
      for (const connection of new Set([...room, ...this.#registry.followersBy(cid)]))
        this.unwatch(connection, cid);
    if ((type === 'member.removed' || type === 'member.updated') && userId) this.#recheckMember(cid, userId);
  }

  #onUsersEvent({ userIds, type, json }: EventOf<'users'>): void {
    const frame = createFrame(json);
    for (const userId of userIds) {
      const connections = this.#registry.connectionsOf(userId);
      this.#deliver(connections, frame);
      if (type !== 'channel.hidden') continue;
      const { cid, cleared_at }: { cid: string; cleared_at?: string } = JSON.parse(json);
      for (const connection of connections) this.#noteCleared(connection, cid, cleared_at);
    }
  }

  /** The later of two holds: the answer to a question may come after the next clearing. */
  #noteCleared({ watching, cleared }: Connection, cid: string, at: string | undefined): void {
    if (at !== undefined && watching.has(cid) && at > (cleared.get(cid) ?? '')) cleared.set(cid, at);
  }

  #onPresenceEvent({ userId, json }: EventOf<'presence'>): void {
    const frame = createFrame(json);
    const own = this.#registry.connectionsOf(userId);
    this.#deliver(own, frame);
    for (const connection of this.#registry.followersOf(userId))
      if (!own.has(connection)) this.#deliver([connection], frame);
    this.#watching.keepPresence(userId, frame);
  }

  #onStale({ what, key }: EventOf<'stale'>): void {
    if (what === 'everything')
      for (const { sink } of this.#registry.all())
        sink.close(closeCodes.goingAway, 'the server was away for long');
    else if (what === 'user') this.#safely(this.#recheckActors([...this.#registry.connectionsOf(key)]));
    else if (what === 'app') this.#safely(this.#recheckActors(this.#registry.all()));
    else if (what === 'channel-type') {
      for (const session of this.#registry.sessions()) this.#recheckNotifications(session, key);
      this.#watching.recheckType(key);
    }
  }

  /** Without an answer it is unknown which events the user may get: a new connection asks again. */
  #recheckNotifications(session: Session, type: string): void {
    this.#memberNotifications.recheck(session, type).catch((error) => {
      this.#kernel.log.error({ err: error }, 'recheck failed');
      for (const { sink } of [...session.connections])
        sink.close(closeCodes.goingAway, 'the rights of the user could not be read');
    });
  }

  #deliver(targets: Iterable<Connection>, frame: Frame, cid = ''): void {
    for (const connection of targets) {
      const shown = connection.cleared.size === 0 ? frame : sinceCleared(frame, connection.cleared.get(cid));
      if (shown === undefined) continue;
      this.counts.frames++;
      connection.sink.send(shown);
    }
  }

  #notifyMembers(cid: string, json: string): void {
    let made: Frame | undefined;
    const frame = () => {
      made ??= createFrame(asNotification(json));
      return made;
    };
    for (const session of this.#registry.membersOf(cid)) {
      for (const connection of session.connections) {
        if (connection.watching.has(cid)) continue;
        this.counts.frames++;
        connection.sink.send(frame());
      }
    }
    this.#memberNotifications.keep(cid, frame);
  }

  #recheckMember(cid: string, userId: string): void {
    for (const connection of [...this.#registry.connectionsOf(userId)]) {
      // People whom a common channel made visible may be out of sight now: the connection asks for them again.
      this.#registry.unfollowBy(connection, 'neighbours');
      this.#watching.recheckSoon(connection, cid);
    }
  }

  async #recheckActors(connections: Connection[]): Promise<void> {
    for (const connection of connections) {
      const actor = await this.#hooks?.refresh(connection);
      if (actor === undefined) {
        connection.sink.close(closeCodes.authentication, 'the user may no longer connect');
        continue;
      }
      const roleChanged = actor.user.row.role !== connection.actor.user.row.role;
      connection.actor = actor;
      if (roleChanged) await this.startMemberNotifications(connection);
      if (roleChanged || actor.user.row.banned)
        await Promise.all(
          this.#registry.subscribedChannels(connection).map((cid) => this.#watching.recheck(connection, cid)),
        );
    }
  }

  #safely(work: Promise<void>): void {
    work.catch((error) => this.#kernel.log.error({ err: error }, 'recheck failed'));
  }
}
