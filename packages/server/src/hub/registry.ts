import type { Connection } from './connection.ts';

/** All connections of one user on this server, the channels it is a member of, and the types for which it is notified as a member. */
export type Session = {
  userId: string;
  connections: Set<Connection>;
  cids: Set<string>;
  /** The channels it left, and when by the registry's count: a list of memberships read before that is out of date. */
  left: Map<string, number>;
  types: ReadonlySet<string>;
};

const mostFollowed = 1000;
/** The most reasons for following one user: with more channels in common the connection may stop following early, and asks again. */
const mostReasons = 50;
const mostLeft = 1000;
const nobody: ReadonlySet<never> = new Set();

const typeOf = (cid: string): string => cid.slice(0, cid.indexOf(':'));

const addTo = <K, V>(map: Map<K, Set<V>>, key: K, value: V): void => {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
};

const removeFrom = <K, V>(map: Map<K, Set<V>>, key: K, value: V): void => {
  const set = map.get(key);
  set?.delete(value);
  if (set?.size === 0) map.delete(key);
};

/** Learns which channels and users concern this server, so that others send it their events. */
export type Interest = {
  followChannel(cid: string, follows: boolean): void;
  holdUser(userId: string, holds: boolean): void;
};

/** The connections of this server, and the channels and people that each of them follows. */
export class Registry {
  #interest: Interest;
  /** How many connections watch each channel or are notified of it as members. */
  #followed = new Map<string, number>();
  #connections = new Map<string, Connection>();
  #sessions = new Map<string, Session>();
  #rooms = new Map<string, Set<Connection>>();
  #memberSessions = new Map<string, Set<Session>>();
  #followers = new Map<string, Set<Connection>>();
  /** The connections that follow somebody for a reason. */
  #reasons = new Map<string, Set<Connection>>();
  #leaves = 0;

  constructor(interest: Interest) {
    this.#interest = interest;
  }

  /** Whether it is the first of its user. Anonymous visitors are no user: they have no session. */
  add(connection: Connection): boolean {
    this.#connections.set(connection.id, connection);
    if (connection.actor.kind === 'anonymous') return false;
    const userId = connection.actor.user.row.id;
    const known = this.#sessions.get(userId);
    const session = known ?? {
      userId,
      connections: new Set<Connection>(),
      cids: new Set<string>(),
      left: new Map<string, number>(),
      types: nobody,
    };
    session.connections.add(connection);
    this.#sessions.set(userId, session);
    if (!known) this.#interest.holdUser(userId, true);
    return known === undefined;
  }

  /** Whether it was the last of its user. It must watch nothing any more. */
  remove(connection: Connection): boolean {
    if (!this.#connections.delete(connection.id)) return false;
    for (const [userId, reasons] of connection.follows) {
      removeFrom(this.#followers, userId, connection);
      for (const reason of reasons) removeFrom(this.#reasons, reason, connection);
    }
    connection.follows.clear();
    if (connection.actor.kind === 'anonymous') return false;
    const session = this.#sessions.get(connection.actor.user.row.id);
    if (!session?.connections.delete(connection) || session.connections.size > 0) return false;
    this.#sessions.delete(session.userId);
    for (const cid of session.cids) this.#unjoin(session, cid);
    this.#interest.holdUser(session.userId, false);
    return true;
  }

  /** Whether it did not watch before. It gets the events of the channel once it enters the room. */
  watch(connection: Connection, cid: string): boolean {
    if (connection.watching.has(cid) || !this.has(connection)) return false;
    connection.watching.add(cid);
    this.#count(cid, 1);
    return true;
  }

  enterRoom(connection: Connection, cid: string): void {
    if (connection.watching.has(cid)) addTo(this.#rooms, cid, connection);
  }

  leaveRoom(connection: Connection, cid: string): void {
    removeFrom(this.#rooms, cid, connection);
  }

  /** Whether it did watch before. With the channel go the people whom it followed by that channel only. */
  unwatch(connection: Connection, cid: string): boolean {
    this.unfollowBy(connection, cid);
    connection.cleared.delete(cid);
    if (!connection.watching.delete(cid)) return false;
    removeFrom(this.#rooms, cid, connection);
    this.#count(cid, -1);
    return true;
  }

  follow(connection: Connection, userIds: readonly string[], reason: string): void {
    if (!this.has(connection)) return;
    const { follows } = connection;
    for (const userId of userIds) {
      const reasons = follows.get(userId);
      if (reasons ? reasons.size >= mostReasons : follows.size >= mostFollowed) continue;
      addTo(follows, userId, reason);
      addTo(this.#followers, userId, connection);
      addTo(this.#reasons, reason, connection);
    }
  }

  unfollow(connection: Connection, userIds: Iterable<string>, reason: string): void {
    for (const userId of userIds) {
      removeFrom(connection.follows, userId, reason);
      if (!connection.follows.has(userId)) removeFrom(this.#followers, userId, connection);
    }
    const isLeft = [...connection.follows.values()].some((reasons) => reasons.has(reason));
    if (!isLeft) removeFrom(this.#reasons, reason, connection);
  }

  /** Ends the following of everybody for this reason; who they were. */
  unfollowBy(connection: Connection, reason: string): string[] {
    if (!this.followersBy(reason).has(connection)) return [];
    const followed = [...connection.follows].filter(([, reasons]) => reasons.has(reason));
    const userIds = followed.map(([userId]) => userId);
    this.unfollow(connection, userIds, reason);
    return userIds;
  }

  followersBy(reason: string): ReadonlySet<Connection> {
    return this.#reasons.get(reason) ?? nobody;
  }

  /** The channels that the connection watches, or whose members' presence it follows. */
  subscribedChannels({ watching, follows }: Connection): string[] {
    const reasons = [...follows.values()].flatMap((set) => [...set]);
    return [...new Set([...watching, ...reasons.filter((reason) => reason.includes(':'))])];
  }

  joinChannel(cid: string, userId: string): void {
    const session = this.#sessions.get(userId);
    if (!session) return;
    session.left.delete(cid);
    this.#join(session, cid);
  }

  /** The mark that `joinChannels` needs if memberships are read from now on. */
  get leaves(): number {
    return this.#leaves;
  }

  /** The memberships as they were read after `since`, less those that ended meanwhile. */
  joinChannels(userId: string, cids: string[], since: number): void {
    const session = this.#sessions.get(userId);
    if (!session) return;
    for (const cid of cids) if ((session.left.get(cid) ?? 0) <= since) this.#join(session, cid);
  }

  #join(session: Session, cid: string): void {
    session.cids.add(cid);
    if (!session.types.has(typeOf(cid)) || this.membersOf(cid).has(session)) return;
    addTo(this.#memberSessions, cid, session);
    this.#count(cid, 1);
  }

  #unjoin(session: Session, cid: string): void {
    if (!this.membersOf(cid).has(session)) return;
    removeFrom(this.#memberSessions, cid, session);
    this.#count(cid, -1);
  }

  #count(cid: string, change: 1 | -1): void {
    const count = (this.#followed.get(cid) ?? 0) + change;
    if (count > 0) this.#followed.set(cid, count);
    else this.#followed.delete(cid);
    if (count === 0) this.#interest.followChannel(cid, false);
    else if (count === 1 && change === 1) this.#interest.followChannel(cid, true);
  }

  sessionOf({ actor }: Connection): Session | undefined {
    return actor.kind === 'anonymous' ? undefined : this.#sessions.get(actor.user.row.id);
  }

  /** Sets for which types of channels the user is notified as a member: a member who may not read a channel is not notified of it. */
  setNotifiedTypes(session: Session, types: ReadonlySet<string>): void {
    if (this.#sessions.get(session.userId) !== session) return;
    session.types = types;
    for (const cid of session.cids) {
      if (types.has(typeOf(cid))) this.#join(session, cid);
      else this.#unjoin(session, cid);
    }
  }

  sessions(): Session[] {
    return [...this.#sessions.values()];
  }

  leaveChannel(cid: string, userId: string): void {
    const session = this.#sessions.get(userId);
    if (!session) return;
    session.left.delete(cid);
    session.left.set(cid, ++this.#leaves);
    // It matters only while a list is being read: of somebody who leaves all day, the latest are enough.
    if (session.left.size > mostLeft) session.left.delete(session.left.keys().next().value ?? '');
    session.cids.delete(cid);
    this.#unjoin(session, cid);
  }

  has(connection: Connection): boolean {
    return this.#connections.has(connection.id);
  }

  find(id: string): Connection | undefined {
    return this.#connections.get(id);
  }

  all(): Connection[] {
    return [...this.#connections.values()];
  }

  isOnline(userId: string): boolean {
    return this.#sessions.has(userId);
  }

  connectionsOf(userId: string): ReadonlySet<Connection> {
    return this.#sessions.get(userId)?.connections ?? nobody;
  }

  /** How many connections of the user were not asked to open another. */
  countStaying(userId: string): number {
    let count = 0;
    for (const { isMoving } of this.connectionsOf(userId)) if (!isMoving) count++;
    return count;
  }

  watchers(cid: string): ReadonlySet<Connection> {
    return this.#rooms.get(cid) ?? nobody;
  }

  membersOf(cid: string): ReadonlySet<Session> {
    return this.#memberSessions.get(cid) ?? nobody;
  }

  followersOf(userId: string): ReadonlySet<Connection> {
    return this.#followers.get(userId) ?? nobody;
  }

  watchedOf(type: string): string[] {
    return [...this.#rooms.keys(), ...this.#reasons.keys()].filter((cid) => cid.startsWith(`${type}:`));
  }

  size() {
    return { connections: this.#connections.size, users: this.#sessions.size, rooms: this.#rooms.size };
  }
}
