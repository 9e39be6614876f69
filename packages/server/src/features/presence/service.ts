import type { Actor } from '../../auth/actor.ts';
import { transientEventJson } from '../../events/event-json.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import type { UserCache } from '../users/cache.ts';
import { touchUser } from '../users/store.ts';

/** How long someone may be offline before others are notified: a page reload is no leave. */
const graceMs = 3000;
const retryMs = 1000;
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

/** Publishes to the connections of this server that users came online or went offline. */
const createChanges = ({ kernel, users, presence }: Pick<Deps, 'kernel' | 'users' | 'presence'>) => {
  const { others, clock } = kernel;
  let isStopped = false;
  const onFailure = (error: unknown) => kernel.log.warn({ err: error }, 'presence was not published');

  /** The event says how it stands when it is published: of two changes in a row the later publication is right, whichever it is of. */
  const publish = async (userId: string): Promise<void> => {
    const entry = await users.get(kernel.db, userId);
    if (!entry || isStopped) return;
    const now = kernel.now();
    const user = presence.withPresence(entry.user, now);
    const json = JSON.stringify({ type: 'user.presence.changed', created_at: now, user });
    others.publishHere({ kind: 'presence', userId, json });
  };

  /** Nobody would learn it later: it is tried until the database is there again. */
  const publishSurely = (userId: string): void => {
    publish(userId).catch((error: unknown) => {
      onFailure(error);
      if (!isStopped) clock.setTimeout(() => publishSurely(userId), retryMs);
    });
  };

  return {
    publish: publishSurely,
    /** The same where nobody else stores the time. */
    touch(userId: string): void {
      touchUser(kernel.db, userId, kernel.now()).catch(onFailure);
      publishSurely(userId);
    },
    stop(): void {
      isStopped = true;
    },
  };
};

/** Publishes who comes online, goes offline, and starts or stops watching a channel. */
export const createPresenceService = ({ kernel, users, types, presence, isFollowed }: Deps) => {
  const { leaving } = presence;
  const { others } = kernel;
  const changes = createChanges({ kernel, users, presence });
  // Another server has all its users: those whom nobody here follows cost nothing.
  others.onUsersChanged((userIds, isServerDead) => {
    for (const userId of userIds.filter(isFollowed)) {
      if (isServerDead) changes.touch(userId);
      else changes.publish(userId);
    }
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
      else if (!others.isOnline(userId)) changes.touch(userId);
    },
    onLast(userId: string): void {
      leaving.set(
        userId,
        kernel.clock.setTimeout(() => {
          leaving.delete(userId);
          others.setOnline(userId, false);
          if (!others.isOnline(userId)) changes.touch(userId);
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
      changes.stop();
    },
  };
};
