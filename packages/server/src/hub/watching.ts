import { closeCodes, limits } from '@parley/protocol';
import type { Kernel } from '../kernel/kernel.ts';
import type { Connection } from './connection.ts';
import type { Frame } from './frame.ts';
import type { Registry } from './registry.ts';
import { sinceCleared } from './since-cleared.ts';

/** Frames that wait until it is known whether the connection may read the channel. */
type Hold = {
  frames: Frame[];
  bytes: number;
  /** Grows whenever the rights may have changed: an answer to an older question decides nothing. */
  asked: number;
  /** The people that the connection followed through the channel: their presence waits as well. */
  people: string[];
  /** It did not watch before. */
  isNew: boolean;
  answer: Promise<boolean>;
};

/** The parts of the kernel that the hub uses. */
export type HubKernel = Pick<Kernel, 'bus' | 'others' | 'clock' | 'now'> & {
  log: Pick<Kernel['log'], 'error'>;
};

type Deps = {
  kernel: Pick<HubKernel, 'clock' | 'log'>;
  registry: Registry;
  mayWatch(connection: Connection, cid: string): Promise<boolean>;
  onChange(connection: Connection, cid: string, started: boolean): void;
  /** The connection watched the channel and may no longer read it. */
  onRefused(connection: Connection, cid: string): void;
};

/** How long a connection that watched may wait for an answer that the database does not give. */
const mostTries = 20;
const retryMs = 500;

/** The watchers of each channel. Permissions are checked after the watching began, and again whenever they may have changed: a
 * removal in between would otherwise go unseen. Until the answer is there frames wait; then they go out in order, or nowhere. */
export class Watching {
  #deps: Deps;
  #held = new Map<string, Map<Connection, Hold>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the connection watches the channel now. */
  watch(connection: Connection, cid: string): Promise<boolean> {
    const hold = this.#held.get(cid)?.get(connection);
    if (hold) return hold.answer;
    if (connection.watching.has(cid)) return Promise.resolve(true);
    if (!this.#deps.registry.watch(connection, cid)) return Promise.resolve(false);
    return this.#hold(connection, cid, true);
  }

  unwatch(connection: Connection, cid: string): void {
    const hold = this.#release(connection, cid);
    if (this.#deps.registry.unwatch(connection, cid) && !hold?.isNew)
      this.#deps.onChange(connection, cid, false);
  }

  /** The connections that watched the channel before their rights were looked at again. */
  countHeld(cid: string): number {
    return [...(this.#held.get(cid)?.values() ?? [])].filter(({ isNew }) => !isNew).length;
  }

  /** Nobody waits for the answer: a fault in it must not end the process. */
  recheckSoon(connection: Connection, cid: string): void {
    this.recheck(connection, cid).catch((error: unknown) => {
      this.#deps.kernel.log.error({ err: error }, 'recheck failed');
      connection.sink.close(closeCodes.goingAway, 'the rights of the user could not be read');
    });
  }

  recheck(connection: Connection, cid: string): Promise<boolean> {
    const hold = this.#held.get(cid)?.get(connection);
    if (hold) {
      hold.asked++;
      return hold.answer;
    }
    if (!connection.watching.has(cid)) return this.#recheckFollowing(connection, cid);
    return this.#hold(connection, cid, false);
  }

  /** Checks a connection that does not watch the channel but follows the presence of its members. */
  async #recheckFollowing(connection: Connection, cid: string): Promise<false> {
    const { registry, mayWatch, kernel } = this.#deps;
    const people = registry.unfollowBy(connection, cid);
    if (people.length === 0) return false;
    const allowed = await mayWatch(connection, cid).catch((error: unknown) => {
      kernel.log.error({ err: error }, 'the rights of a follower could not be read');
      return false;
    });
    if (allowed) registry.follow(connection, people, cid);
    return false;
  }

  recheckType(type: string): void {
    const { registry } = this.#deps;
    for (const cid of new Set([...registry.watchedOf(type), ...this.#held.keys()]))
      if (cid.startsWith(`${type}:`))
        for (const connection of new Set([
          ...registry.watchers(cid),
          ...registry.followersBy(cid),
          ...(this.#held.get(cid)?.keys() ?? []),
        ]))
          this.recheckSoon(connection, cid);
  }

  /** Keeps the frame for those whose rights are being looked at. */
  keep(cid: string, frame: Frame): void {
    if (this.#held.size === 0) return;
    const holds = this.#held.get(cid);
    if (holds) for (const [connection, hold] of [...holds]) this.#keepFor(connection, hold, frame);
  }

  /** The same for the presence of somebody whom a channel made visible. */
  keepPresence(userId: string, frame: Frame): void {
    if (this.#held.size === 0) return;
    const { registry } = this.#deps;
    const receivers = new Set([...registry.followersOf(userId), ...registry.connectionsOf(userId)]);
    for (const holds of this.#held.values())
      for (const [connection, hold] of [...holds]) {
        if (receivers.has(connection) || !hold.people.includes(userId)) continue;
        receivers.add(connection);
        this.#keepFor(connection, hold, frame);
      }
  }

  #keepFor(connection: Connection, hold: Hold, frame: Frame): void {
    hold.frames.push(frame);
    hold.bytes += frame.json.length;
    if (hold.frames.length > limits.queuedFrames || hold.bytes > limits.queuedBytes)
      connection.sink.close(closeCodes.slowConsumer, 'too much came while rights were looked at');
  }

  #hold(connection: Connection, cid: string, isNew: boolean): Promise<boolean> {
    const { registry } = this.#deps;
    registry.leaveRoom(connection, cid);
    const people = registry.unfollowBy(connection, cid);
    const hold: Hold = { frames: [], bytes: 0, asked: 0, people, isNew, answer: Promise.resolve(false) };
    const holds = this.#held.get(cid) ?? new Map<Connection, Hold>();
    this.#held.set(cid, holds.set(connection, hold));
    hold.answer = this.#settle(connection, cid, hold);
    return hold.answer;
  }

  #release(connection: Connection, cid: string): Hold | undefined {
    const holds = this.#held.get(cid);
    const hold = holds?.get(connection);
    if (holds?.delete(connection) && holds.size === 0) this.#held.delete(cid);
    return hold;
  }

  async #settle(connection: Connection, cid: string, hold: Hold): Promise<boolean> {
    const { registry, onChange, onRefused } = this.#deps;
    let allowed = false;
    for (let asked = -1; asked !== hold.asked; ) {
      asked = hold.asked;
      allowed = await this.#ask(connection, cid, hold);
    }
    if (this.#held.get(cid)?.get(connection) !== hold) return false;
    this.#release(connection, cid);
    if (!allowed) {
      registry.unwatch(connection, cid);
      if (!hold.isNew) onChange(connection, cid, false);
      if (!hold.isNew) onRefused(connection, cid);
      return false;
    }
    registry.enterRoom(connection, cid);
    registry.follow(connection, hold.people, cid);
    for (const frame of hold.frames) {
      const shown = sinceCleared(frame, connection.cleared.get(cid));
      if (shown) connection.sink.send(shown);
    }
    if (hold.isNew) onChange(connection, cid, true);
    return true;
  }

  /** A database that does not answer takes nobody's place away at once; who has none yet is refused. */
  async #ask(connection: Connection, cid: string, hold: Hold): Promise<boolean> {
    const { mayWatch, kernel } = this.#deps;
    for (let tries = 1; ; tries++) {
      try {
        return await mayWatch(connection, cid);
      } catch (error) {
        kernel.log.error({ err: error }, 'the rights of a watcher could not be read');
        if (hold.isNew || tries >= mostTries) return false;
        await new Promise<void>((resolve) => kernel.clock.setTimeout(() => resolve(), retryMs));
      }
    }
  }
}
