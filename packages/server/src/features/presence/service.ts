import type { Actor } from '../../auth/actor.ts';
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

type Deps = { kernel: Kernel; users: UserCache; types: ChannelTypes; presence: Presence };

export type PresenceService = ReturnType<typeof createPresenceService>;

/** Publishes who comes online, goes offline, and starts or stops watching a channel. */
export const createPresenceService = ({ kernel, users, types, presence }: Deps) => {
  const { leaving } = presence;

  const publish = async (userId: string): Promise<void> => {
    const now = kernel.now();
    await touchUser(kernel.db, userId, now);
    const entry = await users.get(kernel.db, userId);
    if (!entry) return;
    const user = presence.withPresence(entry.user, now);
    kernel.publishTransient({
      kind: 'presence',
      userId,
      json: JSON.stringify({ type: 'user.presence.changed', created_at: now, user }),
    });
  };

  const publishSafely = (userId: string): void => {
    publish(userId).catch((error) => kernel.log.warn({ err: error }, 'presence was not published'));
  };

  const publishWatcher = async (
    cid: string,
    actor: Actor,
    started: boolean,
    watchers: number,
  ): Promise<void> => {
    if (watchers > mostNamedWatchers || actor.kind !== 'user') return;
    const type = (await types.all(kernel.db)).get(cid.slice(0, cid.indexOf(':')));
    if (!type?.config.connect_events) return;
    const event = started ? 'user.watching.start' : 'user.watching.stop';
    const json = transientEventJson(event, cid, kernel.now(), {
      user: actor.user.user,
      watcher_count: watchers,
    });
    kernel.publishTransient({ kind: 'channel', cid, type: event, json });
  };

  return {
    onFirst(userId: string): void {
      const timer = leaving.get(userId);
      leaving.delete(userId);
      if (timer) timer.stop();
      else publishSafely(userId);
    },
    onLast(userId: string): void {
      leaving.set(
        userId,
        kernel.clock.setTimeout(() => {
          leaving.delete(userId);
          publishSafely(userId);
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
