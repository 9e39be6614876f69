import { type BodyOf, invalid, ParleyError, type SharedLocation } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { requireCapability } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { createLru } from '../../lib/lru.ts';
import { parseTime } from '../../query/values.ts';
import type { DueJob } from '../../work/due-job.ts';
import type { LeaveHook } from '../members/service.ts';
import type { WithdrawHook } from '../messages/hooks.ts';
import type { PositionLane } from './position-lane.ts';
import { type LocationPublisher, publishOwn, publishStopped } from './publishing.ts';
import { type LocationRow, toSharedLocation } from './record.ts';
import { checkEnd, requireMovable, requireOwnShare } from './rules.ts';
import { changeEnd, endLive, findLocation, listActive, lockChannels, lockLocation } from './store.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  lane: PositionLane;
  publisher: LocationPublisher;
  expiry: DueJob;
};
type Wish = BodyOf<'PUT /users/live_locations'>;
type Asked = { actor: Actor; userId: string; deviceId: string; wish: Wish };

const missing = (id: string): ParleyError => new ParleyError('NotFound', `No live location in message ${id}`);

const refuseHalf = ({ latitude, longitude, end_at }: Wish): void => {
  if (latitude === undefined && longitude !== undefined) throw invalid('latitude', 'is required');
  if (longitude === undefined && latitude !== undefined) throw invalid('longitude', 'is required');
  if (latitude === undefined && end_at === undefined) throw invalid('latitude', 'is required');
};

/** Live locations of people: moved by the device that shares them, ended by any. */
export class Locations {
  #deps: Deps;
  /** Where a message is never changes. */
  #cids = createLru<string>(10_000);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async active(actor: Actor): Promise<{ active_live_locations: SharedLocation[]; now: string }> {
    const { db, now: clock } = this.#deps.kernel;
    const now = clock();
    const rows = await listActive(db, actingUser(actor).row.id, now);
    return { active_live_locations: rows.map(toSharedLocation), now };
  }

  async update(actor: Actor, wish: Wish): Promise<SharedLocation> {
    const asked = {
      actor,
      userId: actingUser(actor).row.id,
      deviceId: wish.created_by_device_id,
      wish,
    };
    refuseHalf(wish);
    if (wish.end_at === undefined) return toSharedLocation(await this.#move(asked));
    const end = parseTime(wish.end_at);
    if (end === undefined) throw invalid('end_at', 'must be an RFC 3339 time');
    const isStop = new Date(end).toISOString() <= this.#deps.kernel.now();
    return toSharedLocation(isStop ? await this.#stop(asked) : await this.#prolong(asked));
  }

  /** The message that carried it was deleted, or lost it: a live one ends. */
  withdrawn: WithdrawHook = async (tx, { id, has_location }) => {
    if (has_location) await publishStopped(tx, await endLive(tx.db, { messageId: id }, tx.now));
  };

  /** The shares of people who left the channel end. */
  left: LeaveHook = async (tx, cid, userIds) => {
    await publishStopped(tx, await endLive(tx.db, { cid, userIds }, tx.now));
  };

  async #move({ actor, userId, deviceId, wish }: Asked): Promise<LocationRow> {
    const { access, lane, publisher, kernel } = this.#deps;
    const { message_id: messageId, latitude = 0, longitude = 0 } = wish;
    const cid = await this.#cidOf(messageId);
    requireCapability(await access.enter(actor, cid), 'share-location');
    const row = await lane.ask({ messageId, userId, deviceId, latitude, longitude });
    if (row) {
      publisher.touch(cid);
      return row;
    }
    const found = await findLocation(kernel.db, messageId);
    if (!found) throw missing(messageId);
    requireMovable(found, { userId, deviceId }, kernel.now());
    throw new ParleyError('Internal');
  }

  /** Ends a share. Every device of its owner may do so, even where the owner may no longer read the channel. */
  #stop(asked: Asked): Promise<LocationRow> {
    const { message_id, latitude, longitude } = asked.wish;
    return this.#change(asked, async (tx, row) => {
      if (latitude !== undefined && row.created_by_device_id !== asked.deviceId)
        requireMovable(row, asked, tx.now);
      if (row.ended) return row;
      if (latitude !== undefined && longitude !== undefined)
        await changeEnd(tx.db, message_id, { latitude, longitude, end_at: tx.now }, tx.now);
      const ended = await endLive(tx.db, { messageId: message_id }, tx.now);
      await publishStopped(tx, ended);
      return ended[0] ?? row;
    });
  }

  async #prolong(asked: Asked): Promise<LocationRow> {
    const { access, expiry } = this.#deps;
    const { message_id, created_by_device_id: _, end_at = '', ...where } = asked.wish;
    const cid = await this.#cidOf(message_id);
    requireCapability(await access.enter(asked.actor, cid), 'share-location');
    return this.#change(asked, async (tx, row) => {
      requireMovable(row, asked, tx.now);
      const end = checkEnd(end_at, 'end_at', tx.now);
      const changed = await changeEnd(tx.db, message_id, { ...where, end_at: end }, tx.now);
      const shared_locations = [toSharedLocation(changed)];
      await tx.event({ cid, type: 'live_location_sharing.updated', fields: { shared_locations } });
      await publishOwn(tx, row.user_id);
      tx.later(() => expiry.wake(end));
      return changed;
    });
  }

  /** Runs a change by the owner of the location, under the lock of the channel and then of the location. */
  async #change(asked: Asked, run: (tx: Tx, row: LocationRow) => Promise<LocationRow>): Promise<LocationRow> {
    const { kernel, access } = this.#deps;
    const { message_id: id } = asked.wish;
    const cid = await this.#cidOf(id);
    return kernel.writeFor(asked.actor, async (tx) => {
      await lockChannels(tx.db, [cid]);
      const row = await lockLocation(tx.db, id);
      if (!row) throw missing(id);
      // A caller who may not read the channel gets that refusal, and learns nothing of the share.
      if (row.user_id !== asked.userId) await access.enter(asked.actor, cid, tx.db);
      requireOwnShare(row, asked);
      return run(tx, row);
    });
  }

  async #cidOf(messageId: string): Promise<string> {
    const known = this.#cids.get(messageId);
    if (known !== undefined) return known;
    const row = await findLocation(this.#deps.kernel.db, messageId);
    if (!row) throw missing(messageId);
    this.#cids.set(messageId, row.cid);
    return row.cid;
  }
}
