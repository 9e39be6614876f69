import type { Actor } from '../../auth/actor.ts';
import { ephemeralEventJson } from '../../events/event-json.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import type { UserCache } from '../users/cache.ts';
import { touchUser } from '../users/store.ts';

/** How long someone may be gone before others hear of it: a page reload is no leave. */
const graceMs = 3000;
/** Past this many watchers coming and going is noise: the count in the channel's state still tells. */
const mostToldWatchers = 100;

type Deps = { kernel: Kernel; users: UserCache; types: ChannelTypes; presence: Presence };

/** Tells of people who come and go. */
export const createPresenceService = ({ kernel, users, types, presence }: Deps) => {
  const { leaving } = presence;

  const tell = async (userId: string): Promise<void> => {
    const now = kernel.now();
    await touchUser(kernel.db, userId, now);
    const entry = await users.get(kernel.db, userId);
    if (!entry) return;
    const user = presence.withPresence(entry.user, now);
    kernel.bus.publish({
      kind: 'presence',
      userId,
      json: JSON.stringify({ type: 'user.presence.changed', created_at: now, user }),
    });
  };

  const tellSafely = (userId: string): void => {
    tell(userId).catch((error) => kernel.log.warn({ err: error }, 'presence not told'));
  };

  const tellOfWatcher = async (
    cid: string,
    actor: Actor,
    started: boolean,
    watchers: number,
  ): Promise<void> => {
    if (watchers > mostToldWatchers || actor.kind !== 'user') return;
    const type = (await types.all(kernel.db)).get(cid.slice(0, cid.indexOf(':')));
    if (!type?.config.connect_events) return;
    const event = started ? 'user.watching.start' : 'user.watching.stop';
    const json = ephemeralEventJson(event, cid, kernel.now(), {
      user: actor.user.user,
      watcher_count: watchers,
    });
    kernel.bus.publish({ kind: 'channel', cid, type: event, json });
  };

  return {
    onFirst(userId: string): void {
      const timer = leaving.get(userId);
      leaving.delete(userId);
      if (timer) timer.stop();
      else tellSafely(userId);
    },
    onLast(userId: string): void {
      leaving.set(
        userId,
        kernel.clock.setTimeout(() => {
          leaving.delete(userId);
          tellSafely(userId);
        }, graceMs),
      );
    },
    onWatch(cid: string, actor: Actor, started: boolean, watchers: number): void {
      tellOfWatcher(cid, actor, started, watchers).catch((error) =>
        kernel.log.warn({ err: error }, 'watcher not told of'),
      );
    },
    stop(): void {
      for (const timer of leaving.values()) timer.stop();
    },
  };
};
