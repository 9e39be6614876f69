import type { Connection } from './connection.ts';

/** All connections of one user on this server, the channels it is a member of, and the types whose members it hears as. */
export type Session = {
  userId: string;
  connections: Set<Connection>;
  cids: Set<string>;
  types: ReadonlySet<string>;
};

const mostFollowed = 1000;
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

/** Who is connected to this server, and what each connection hears. */
export class Registry {
  #connections = new Map<string, Connection>();
  #sessions = new Map<string, Session>();
  #rooms = new Map<string, Set<Connection>>();
  #memberSessions = new Map<string, Set<Session>>();
  #followers = new Map<string, Set<Connection>>();

  /** Whether it is the first of its user. Anonymous visitors are no user: they have no session. */
  add(connection: Connection): boolean {
    this.#connections.set(connection.id, connection);
    if (connection.actor.kind === 'anonymous') return false;
    const userId = connection.actor.user.row.id;
    const known = this.#sessions.get(userId);
    const session = known ?? { userId, connections: new Set(), cids: new Set(), types: nobody };
    session.connections.add(connection);
    this.#sessions.set(userId, session);
    return known === undefined;
  }

  /** Whether it was the last of its user. It must watch nothing any more. */
  remove(connection: Connection): boolean {
    if (!this.#connections.delete(connection.id)) return false;
    for (const userId of connection.follows) removeFrom(this.#followers, userId, connection);
    if (connection.actor.kind === 'anonymous') return false;
    const session = this.#sessions.get(connection.actor.user.row.id);
    if (!session?.connections.delete(connection) || session.connections.size > 0) return false;
    this.#sessions.delete(session.userId);
    for (const cid of session.cids) removeFrom(this.#memberSessions, cid, session);
    return true;
  }

  /** Whether it did not watch before. */
  watch(connection: Connection, cid: string): boolean {
    if (connection.watching.has(cid) || !this.has(connection)) return false;
    connection.watching.add(cid);
    addTo(this.#rooms, cid, connection);
    return true;
  }

  /** Whether it did watch before. */
  unwatch(connection: Connection, cid: string): boolean {
    if (!connection.watching.delete(cid)) return false;
    removeFrom(this.#rooms, cid, connection);
    return true;
  }

  follow(connection: Connection, userIds: string[]): void {
    if (!this.has(connection)) return;
    for (const userId of userIds) {
      if (connection.follows.size >= mostFollowed) return;
      connection.follows.add(userId);
      addTo(this.#followers, userId, connection);
    }
  }

  joinChannel(cid: string, userId: string): void {
    const session = this.#sessions.get(userId);
    if (!session) return;
    session.cids.add(cid);
    if (session.types.has(typeOf(cid))) addTo(this.#memberSessions, cid, session);
  }

  /** Of which types a user's memberships are heard: a member who may not read a channel is not told of it. */
  setHearing(userId: string, types: ReadonlySet<string>): void {
    const session = this.#sessions.get(userId);
    if (!session) return;
    session.types = types;
    for (const cid of session.cids) {
      if (types.has(typeOf(cid))) addTo(this.#memberSessions, cid, session);
      else removeFrom(this.#memberSessions, cid, session);
    }
  }

  sessions(): Session[] {
    return [...this.#sessions.values()];
  }

  leaveChannel(cid: string, userId: string): void {
    const session = this.#sessions.get(userId);
    if (!session) return;
    session.cids.delete(cid);
    removeFrom(this.#memberSessions, cid, session);
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
    return [...this.#rooms.keys()].filter((cid) => cid.startsWith(`${type}:`));
  }

  size() {
    return { connections: this.#connections.size, users: this.#sessions.size, rooms: this.#rooms.size };
  }
}
