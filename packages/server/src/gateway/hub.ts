import { randomUUID } from 'node:crypto';
import { closeCodes, ParleyError, times } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { Fact } from '../bus/bus.ts';
import { asNotification } from '../events/event-json.ts';
import type { Kernel } from '../kernel.ts';
import type { Connection, Sink } from './connection.ts';
import { createFrame, type Frame } from './frame.ts';

/** All connections of one user on this server, and the channels it is a member of. */
type Session = { userId: string; connections: Set<Connection>; cids: Set<string> };

/** Questions and notices that the hub puts to the features; filled by the composition root. */
export type HubHooks = {
  /** The actor as it is now, or undefined if it may not watch the channel (any more). */
  mayWatch(actor: Actor, cid: string): Promise<boolean>;
  /** The user as it is now, or undefined when its connections must end. */
  refresh(actor: Connection['actor']): Promise<Connection['actor'] | undefined>;
  onFirst(userId: string): void;
  onLast(userId: string): void;
  onWatch(cid: string, actor: Actor, started: boolean, watchers: number): void;
};

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

export type Hub = ReturnType<typeof createHub>;

export const createHub = (kernel: Kernel) => {
  const connections = new Map<string, Connection>();
  const sessions = new Map<string, Session>();
  const rooms = new Map<string, Set<Connection>>();
  const memberSessions = new Map<string, Set<Session>>();
  const followers = new Map<string, Set<Connection>>();
  let hooks: HubHooks | undefined;
  const counts = { frames: 0 };

  const deliver = (targets: Iterable<Connection>, frame: Frame): void => {
    for (const connection of targets) {
      counts.frames++;
      connection.sink.send(frame);
    }
  };

  const unwatch = (connection: Connection, cid: string): void => {
    if (!connection.watching.delete(cid)) return;
    removeFrom(rooms, cid, connection);
    hooks?.onWatch(cid, connection.actor, false, rooms.get(cid)?.size ?? 0);
  };

  const watch = (connection: Connection, cid: string): void => {
    if (connection.watching.has(cid) || !connections.has(connection.id)) return;
    connection.watching.add(cid);
    addTo(rooms, cid, connection);
    hooks?.onWatch(cid, connection.actor, true, rooms.get(cid)?.size ?? 0);
  };

  /** Out at once, back in if the rules still allow it: in doubt nothing is delivered, and sync fills the hole. */
  const recheck = async (connection: Connection, cid: string): Promise<void> => {
    unwatch(connection, cid);
    if (await hooks?.mayWatch(connection.actor, cid)) watch(connection, cid);
  };

  const recheckUser = async (userId: string): Promise<void> => {
    for (const connection of [...(sessions.get(userId)?.connections ?? [])]) {
      const actor = await hooks?.refresh(connection.actor);
      if (actor === undefined) {
        connection.sink.close(closeCodes.authentication, 'the user may no longer connect');
        continue;
      }
      const roleChanged = actor.user.row.role !== connection.actor.user.row.role;
      connection.actor = actor;
      if (roleChanged || actor.user.row.banned)
        await Promise.all([...connection.watching].map((cid) => recheck(connection, cid)));
    }
  };

  const recheckType = (type: string): void => {
    for (const [cid, room] of rooms)
      if (cid.startsWith(`${type}:`)) for (const connection of [...room]) void recheck(connection, cid);
  };

  const joinChannel = (cid: string, userId: string): void => {
    const session = sessions.get(userId);
    if (!session) return;
    session.cids.add(cid);
    addTo(memberSessions, cid, session);
  };

  const leaveChannel = (cid: string, userId: string): void => {
    const session = sessions.get(userId);
    if (!session) return;
    session.cids.delete(cid);
    removeFrom(memberSessions, cid, session);
    for (const connection of [...session.connections])
      if (connection.watching.has(cid)) void recheck(connection, cid);
  };

  const notifyMembers = (cid: string, json: string): void => {
    let frame: Frame | undefined;
    for (const session of memberSessions.get(cid) ?? []) {
      for (const connection of session.connections) {
        if (connection.watching.has(cid)) continue;
        frame ??= createFrame(asNotification(json));
        counts.frames++;
        connection.sink.send(frame);
      }
    }
  };

  const onChannelFact = (fact: Extract<Fact, { kind: 'channel' }>): void => {
    const room = rooms.get(fact.cid);
    if (room) deliver(room, createFrame(fact.json));
    if (fact.type === 'message.new') notifyMembers(fact.cid, fact.json);
    else if (fact.type === 'member.added' && fact.userId) joinChannel(fact.cid, fact.userId);
    else if (fact.type === 'member.removed' && fact.userId) leaveChannel(fact.cid, fact.userId);
    else if (fact.type === 'channel.deleted')
      for (const connection of [...(room ?? [])]) unwatch(connection, fact.cid);
  };

  const onStale = (fact: Extract<Fact, { kind: 'stale' }>): void => {
    if (fact.what === 'user')
      void recheckUser(fact.key).catch((error) => kernel.log.error({ err: error }, 'recheck failed'));
    else if (fact.what === 'channel-type') recheckType(fact.key);
  };

  const stopListening = kernel.bus.subscribe((fact) => {
    if (fact.kind === 'channel') onChannelFact(fact);
    else if (fact.kind === 'users') {
      const frame = createFrame(fact.json);
      for (const userId of fact.userIds) deliver(sessions.get(userId)?.connections ?? [], frame);
    } else if (fact.kind === 'presence') {
      const frame = createFrame(fact.json);
      const own = sessions.get(fact.userId)?.connections ?? new Set<Connection>();
      deliver(own, frame);
      for (const connection of followers.get(fact.userId) ?? [])
        if (!own.has(connection)) deliver([connection], frame);
    } else onStale(fact);
  });

  const follow = (connection: Connection, userIds: string[]): void => {
    for (const userId of userIds) {
      if (connection.follows.size >= 1000) return;
      connection.follows.add(userId);
      addTo(followers, userId, connection);
    }
  };

  type Opening = { actor: Connection['actor']; sink: Sink; expires?: number | undefined };

  const open = ({ actor, sink, expires }: Opening): Connection => {
    const connection: Connection = {
      id: randomUUID(),
      actor,
      sink,
      watching: new Set(),
      follows: new Set(),
      expires,
      lastSeen: kernel.clock.now(),
      followPresence: (userIds) => follow(connection, userIds),
    };
    connections.set(connection.id, connection);
    if (actor.kind === 'anonymous') return connection;
    const userId = actor.user.row.id;
    let session = sessions.get(userId);
    if (!session) {
      session = { userId, connections: new Set(), cids: new Set() };
      sessions.set(userId, session);
      hooks?.onFirst(userId);
    }
    session.connections.add(connection);
    return connection;
  };

  const close = (connection: Connection): void => {
    if (!connections.delete(connection.id)) return;
    for (const cid of [...connection.watching]) unwatch(connection, cid);
    for (const userId of connection.follows) removeFrom(followers, userId, connection);
    const session = sessions.get(connection.actor.user.row.id);
    if (!session?.connections.delete(connection) || session.connections.size > 0) return;
    sessions.delete(session.userId);
    for (const cid of session.cids) removeFrom(memberSessions, cid, session);
    hooks?.onLast(session.userId);
  };

  /** Ends who is silent or whose token ended, and asks the rest for a sign of life. */
  const sweep = (beat: boolean): void => {
    const now = kernel.clock.now();
    const frame = createFrame(JSON.stringify({ type: 'health.check', created_at: kernel.now() }));
    for (const connection of [...connections.values()]) {
      if (now - connection.lastSeen > times.silence)
        connection.sink.close(closeCodes.goingAway, 'no sign of life');
      else if (connection.expires !== undefined && connection.expires * 1000 <= now)
        connection.sink.close(closeCodes.tokenExpired, 'the token has expired');
      else if (beat) connection.sink.send(frame);
    }
  };

  return {
    counts,
    /** Hears of the user's memberships after `open`, so that one added in between is not missed. */
    setMemberships: (userId: string, cids: string[]) => {
      for (const cid of cids) joinChannel(cid, userId);
    },
    open,
    close,
    watch,
    unwatch,
    sweep,
    setHooks: (given: HubHooks) => {
      hooks = given;
    },
    /** The connection a call names; it must be the caller's own. */
    find(id: string | undefined, actor: Actor): Connection | undefined {
      if (id === undefined) return undefined;
      const connection = connections.get(id);
      if (
        connection &&
        actor.kind === connection.actor.kind &&
        actor.user.row.id === connection.actor.user.row.id
      )
        return connection;
      throw new ParleyError('InputInvalid', 'No such connection', [
        { path: 'connection_id', message: 'names no open connection of this user' },
      ]);
    },
    isOnline: (userId: string): boolean => sessions.has(userId),
    watchers: (cid: string): ReadonlySet<Connection> => rooms.get(cid) ?? new Set(),
    size: () => ({ connections: connections.size, users: sessions.size, rooms: rooms.size }),
    stop(): void {
      stopListening();
      for (const connection of [...connections.values()])
        connection.sink.close(closeCodes.goingAway, 'the server is going away');
    },
  };
};
