import type { Actor } from '../../auth/actor.ts';
import type { TransientEvent } from '../../bus/bus.ts';
import { transientEventJson } from '../../events/event-json.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import type { UserCache } from '../users/cache.ts';
import { touchUser } from '../users/store.ts';

/** How long someone may be offline before others are notified: a page reload is no leave. */
const graceMs = 3000;
/** In channels with more watchers nobody follows who comes and goes: the count in the channel's state is enough. */
const mostNamedWatchers = 100;

type Deps = {
  kernel: Kernel;
  users: UserCache;
  types: ChannelTypes;
  presence: Presence;
  /** Whether a connection of this server follows the presence of the user. */
  isFollowed(userId: string): boolean;
};

export type PresenceService = ReturnType<typeof createPresenceService>;

/** Publishes that users came online or went offline: everywhere, or here what no other server says. */
const createChanges = ({ kernel, users, presence }: Pick<Deps, 'kernel' | 'users' | 'presence'>) => {
  const { others } = kernel;
  const onFailure = (error: unknown) => kernel.log.warn({ err: error }, 'presence was not published');

  const changeOf = async (userId: string): Promise<TransientEvent | undefined> => {
    const now = kernel.now();
    await touchUser(kernel.db, userId, now);
    const entry = await users.get(kernel.db, userId);
    if (!entry) return undefined;
    const user = presence.withPresence(entry.user, now);
    const json = JSON.stringify({ type: 'user.presence.changed', created_at: now, user });
    return { kind: 'presence', userId, json };
  };

  return {
    publish(userId: string): void {
      changeOf(userId).then((change) => change && kernel.publishTransient(change), onFailure);
    },
    /** Every server finds out by itself, and notifies its own connections. */
    publishHere(userId: string): void {
      changeOf(userId).then((change) => change && others.publishHere(change), onFailure);
    },
  };
};

/** Publishes who comes online, goes offline, and starts or stops watching a channel. */
export const createPresenceService = ({ kernel, users, types, presence, isFollowed }: Deps) => {
  const { leaving } = presence;
  const { others } = kernel;
  const changes = createChanges({ kernel, users, presence });
  // The list of a server has all its users: those whom nobody here follows cost nothing.
  others.onUsersChanged((userIds) => {
    for (const userId of userIds) if (isFollowed(userId)) changes.publishHere(userId);
  });

  const publishWatcher = async (
    cid: string,
    actor: Actor,
    started: boolean,
    watchers: number,
  ): Promise<void> => {
    if (watchers > mostNamedWatchers || actor.kind !== 'user') return;
    const elsewhere = (await others.countWatchers([cid])).get(cid) ?? 0;
    const type = (await types.all(kernel.db)).get(cid.slice(0, cid.indexOf(':')));
    if (!type?.config.connect_events) return;
    const event = started ? 'user.watching.start' : 'user.watching.stop';
    const json = transientEventJson(event, cid, kernel.now(), {
      user: actor.user.user,
      watcher_count: watchers + elsewhere,
    });
    kernel.publishTransient({ kind: 'channel', cid, type: event, json });
  };

  return {
    onFirst(userId: string): void {
      const timer = leaving.get(userId);
      leaving.delete(userId);
      others.setOnline(userId, true);
      if (timer) timer.stop();
      else if (!others.isOnline(userId)) changes.publish(userId);
    },
    onLast(userId: string): void {
      leaving.set(
        userId,
        kernel.clock.setTimeout(() => {
          leaving.delete(userId);
          others.setOnline(userId, false);
          if (!others.isOnline(userId)) changes.publish(userId);
        }, graceMs),
      );
    },
    onWatch(cid: string, actor: Actor, started: boolean, watchers: number): void {
      publishWatcher(cid, actor, started, watchers).catch((error) =>
        kernel.log.warn({ err: error }, 'the change of a watcher was not published'),
      );
    },
    stop(): void {
      for (const timer of leaving.values()) timer.stop();
    },
  };
};
