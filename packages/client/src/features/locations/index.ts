/** The entry `@parley/client/locations`: where people are, once or live until a time. */
import type { Message, MessageInput, SharedLocation } from '@parley/protocol';
import { ParleyError, texts } from '@parley/protocol/errors';
import { storageOf } from '../../browser.ts';
import { checkObject } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { Environment } from '../../environment.ts';
import { derived, type Readable } from '../../readable.ts';
import { deviceIdOf } from './device.ts';
import { createEnding } from './ending.ts';
import { createMover } from './mover.ts';
import { type Coordinates, createPositionWatch, type PositionTrouble, readPosition } from './position.ts';
import { createTracking, type Tracking } from './tracking.ts';

export type { SharedLocation } from '@parley/protocol';
export { type Coordinates, PositionError, type PositionTrouble } from './position.ts';
export { canShareLocation, isLiveAt } from './selectors.ts';

export type ShareWish = {
  /** Left out: where the device is now. */
  where?: Coordinates;
  /** Live for so long. Left out: as it is now, once. */
  durationMs?: number;
  /** Further fields of the message. */
  message?: Partial<MessageInput>;
};

export type Locations = {
  deviceId: string;
  /** The live locations that the own user shares, on this and other devices; the first to end first. */
  active: Readable<readonly SharedLocation[]>;
  isLoaded: Readable<boolean>;
  /** Why what this device shares does not move. */
  trouble: Readable<PositionTrouble | undefined>;
  /** Milliseconds by the clock of the server. */
  now(): number;
  /** The position of the device; rejects with a `PositionError`. */
  locate(): Promise<Coordinates>;
  /** Resolves when the message is stored. */
  share(cid: string, wish: ShareWish): Promise<Message>;
  /** Ends a share of the own user, whichever device began it. */
  stop(messageId: string): Promise<void>;
};

const inOrder = (all: ReadonlyMap<string, SharedLocation>): readonly SharedLocation[] =>
  [...all.values()].sort(
    (a, b) => (a.end_at ?? '').localeCompare(b.end_at ?? '') || a.message_id.localeCompare(b.message_id),
  );

/** The sensors of this device: those of the environment, or the browser's. */
const sensorsOf = (environment: Environment): Pick<Environment, 'geolocation' | 'permissions' | 'locks'> => {
  const page: Partial<Navigator> | undefined = globalThis.navigator;
  return {
    geolocation: page?.geolocation,
    permissions: page?.permissions,
    locks: page?.locks,
    ...environment,
  };
};

type Moving = {
  core: FeatureCore;
  sensors: ReturnType<typeof sensorsOf>;
  deviceId: string;
  tracking: Tracking;
  isEnding(messageId: string): boolean;
};

/** Watches where the device is while it shares, and moves its shares. */
const createMoving = ({ core, sensors, deviceId, tracking, isEnding }: Moving) => {
  const { http, me, environment } = core;
  const mover = createMover({
    clock: environment.clock,
    send: async (message_id, where) => {
      const body = { message_id, created_by_device_id: deviceId, ...where };
      const { shared_location } = await http.call('PUT /users/live_locations', { body });
      if (tracking.all.get().has(message_id)) tracking.take(shared_location);
    },
    onRefused: (messageId) => {
      tracking.drop(messageId);
      tracking.reload();
    },
  });
  const watch = createPositionWatch({
    source: sensors.geolocation,
    permissions: sensors.permissions,
    locks: sensors.locks,
    lockName: () => `parley location ${me.get()?.id ?? ''}`,
    onMove: mover.move,
  });
  const update = (): void => {
    const here = [...tracking.all.get().values()].filter(
      ({ created_by_device_id, message_id }) => created_by_device_id === deviceId && !isEnding(message_id),
    );
    mover.setTracked(here.map(({ message_id }) => message_id));
    watch.setOn(here.length > 0);
  };
  tracking.all.subscribe(update);
  // The tracking is empty by then: a device must not be followed after sign-out.
  core.resets.push(update);
  return { trouble: watch.trouble, update };
};

const createLocations = (core: FeatureCore): Locations => {
  const { client, me, environment } = core;
  const storage = storageOf(environment.storage);
  const sensors = sensorsOf(environment);
  const deviceId = deviceIdOf(storage, environment.uuid);
  const tracking = createTracking(core);
  const ending = createEnding(core, deviceId, storage);
  const moving = createMoving({ core, sensors, deviceId, tracking, isEnding: ending.isEnding });
  const locate = (): Promise<Coordinates> => readPosition(sensors.geolocation);

  return {
    deviceId,
    active: derived(tracking.all, inOrder),
    isLoaded: tracking.isLoaded,
    trouble: moving.trouble,
    now: tracking.now,
    locate,
    share: async (cid, wish) => {
      checkObject('wish', wish);
      const { where, durationMs, message } = wish;
      if (!me.get()) throw new ParleyError('NotAllowed', texts.liveLocationServerSide);
      const end = durationMs && { end_at: new Date(tracking.now() + durationMs).toISOString() };
      const shared_location = { ...(where ?? (await locate())), created_by_device_id: deviceId, ...end };
      return client.messages.send(cid, { ...message, shared_location });
    },
    stop: async (messageId) => {
      const share = tracking.all.get().get(messageId);
      if (!share) return;
      const sent = ending.send(share);
      moving.update();
      await sent.finally(moving.update);
      tracking.drop(messageId);
    },
  };
};

/** The live locations of the own user: kept equal to the server's, and moved while this device shares. */
export const locations: Feature<Locations> = { name: 'locations', create: createLocations };
