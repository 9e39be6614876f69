/** The entry `@parley/client/locations`: where people are, once or live until a time. */
import type { Message, MessageInput, SharedLocation } from '@parley/protocol';
import { ParleyError, texts } from '@parley/protocol/errors';
import { checkObject } from '../../cid.ts';
import type { ParleyClient } from '../../client.ts';
import { type Clock, defaultEnvironment } from '../../environment.ts';
import { derived, type Readable, type Unsubscribe } from '../../readable.ts';
import type { ChannelState } from '../../sync/state.ts';
import { type DeviceStorage, deviceIdOf } from './device.ts';
import { createEnding } from './ending.ts';
import { createMover } from './mover.ts';
import {
  type Coordinates,
  createPositionWatch,
  type Locks,
  type PermissionSource,
  type PositionSource,
  type PositionTrouble,
  readPosition,
} from './position.ts';
import { createTracking, type Tracking } from './tracking.ts';

export type { SharedLocation } from '@parley/protocol';
export type { DeviceStorage } from './device.ts';
export type { PositionTrouble } from './position.ts';
export {
  type Coordinates,
  type Locks,
  type PermissionSource,
  PositionError,
  type PositionSource,
} from './position.ts';
export { isLiveAt } from './tracking.ts';

export const canShareLocation = ({ capabilities }: ChannelState): boolean =>
  capabilities.has('share-location');

export type LocationsOptions = {
  /** Where this device is: in browsers `navigator.geolocation`. */
  geolocation?: PositionSource | undefined;
  /** `navigator.permissions`: a share then goes on when what was forbidden is allowed again. */
  permissions?: PermissionSource | undefined;
  /** Keeps the id of this device, so that a reload goes on with what it shares. */
  storage?: DeviceStorage | undefined;
  /** `navigator.locks`: of several tabs one then tells where the device is. */
  locks?: Locks | undefined;
  clock?: Clock;
};

export type ShareWish = {
  /** Left out: where the device is now. */
  where?: Coordinates;
  /** Live for so long. Left out: as it is now, once. */
  durationMs?: number;
  /** What else the message says. */
  message?: Partial<MessageInput>;
};

export type Locations = {
  deviceId: string;
  /** What the own user shares live, on this and other devices; the first to end first. */
  active: Readable<readonly SharedLocation[]>;
  isLoaded: Readable<boolean>;
  /** Why what this device shares does not move. */
  trouble: Readable<PositionTrouble | undefined>;
  /** Milliseconds by the clock of the server. */
  now(): number;
  /** Where the device is now; rejects with a `PositionError`. */
  locate(): Promise<Coordinates>;
  /** Resolves when the message is stored. */
  share(cid: string, wish: ShareWish): Promise<Message>;
  /** Ends a share of the own user, whichever device began it. */
  end(messageId: string): Promise<void>;
  stop: Unsubscribe;
};

const inOrder = (all: ReadonlyMap<string, SharedLocation>): readonly SharedLocation[] =>
  [...all.values()].sort(
    (a, b) => (a.end_at ?? '').localeCompare(b.end_at ?? '') || a.message_id.localeCompare(b.message_id),
  );

type Following = {
  client: ParleyClient;
  clock: Clock;
  deviceId: string;
  tracking: Tracking;
  isEnding(messageId: string): boolean;
} & Pick<LocationsOptions, 'geolocation' | 'permissions' | 'locks'>;

/** Watches where the device is while it shares, and moves what it shares. */
const createFollowing = ({ client, clock, deviceId, tracking, isEnding, ...given }: Following) => {
  const mover = createMover({
    clock,
    send: async (message_id, where) => {
      const body = { message_id, created_by_device_id: deviceId, ...where };
      const { shared_location } = await client.http.call('PUT /users/live_locations', { body });
      if (tracking.all.get().has(message_id)) tracking.take(shared_location);
    },
    onRefused: (messageId) => {
      tracking.drop(messageId);
      void tracking.load().catch(() => undefined);
    },
  });
  const watch = createPositionWatch({
    source: given.geolocation,
    permissions: given.permissions,
    locks: given.locks,
    lockName: () => `parley location ${client.me.get()?.id ?? ''}`,
    onMove: mover.move,
  });
  const look = (): void => {
    // Who has signed out is not followed any more.
    const all = client.me.get() === undefined ? [] : [...tracking.all.get().values()];
    const here = all.filter(
      ({ created_by_device_id, message_id }) => created_by_device_id === deviceId && !isEnding(message_id),
    );
    mover.setTracked(here.map(({ message_id }) => message_id));
    watch.setOn(here.length > 0);
  };
  const stops = [tracking.all.subscribe(look), client.me.subscribe(look)];
  look();
  return {
    trouble: watch.trouble,
    look,
    stop: () => {
      for (const stop of stops) stop();
      mover.setTracked([]);
      watch.setOn(false);
    },
  };
};

/** Follows what the own user shares live, and moves what this device shares, until `stop`. */
export const createLocations = (client: ParleyClient, options: LocationsOptions = {}): Locations => {
  const { uuid, clock } = defaultEnvironment(options.clock ? { clock: options.clock } : {});
  const { geolocation, permissions, locks } = options;
  const deviceId = deviceIdOf(options.storage, uuid);
  const tracking = createTracking(client, clock);
  const ending = createEnding(client, deviceId, options.storage);
  const { isEnding } = ending;
  const following = createFollowing({
    ...{ client, clock, deviceId, tracking, isEnding },
    ...{ geolocation, permissions, locks },
  });
  const locate = (): Promise<Coordinates> => readPosition(geolocation);

  return {
    deviceId,
    active: derived(tracking.all, inOrder),
    isLoaded: tracking.isLoaded,
    trouble: following.trouble,
    now: tracking.now,
    locate,
    share: async (cid, wish) => {
      checkObject('wish', wish);
      const { where, durationMs, message } = wish;
      if (!client.me.get()) throw new ParleyError('NotAllowed', texts.liveLocationServerSide);
      const end = durationMs && { end_at: new Date(tracking.now() + durationMs).toISOString() };
      const shared_location = { ...(where ?? (await locate())), created_by_device_id: deviceId, ...end };
      return client.messages.send(cid, { ...message, shared_location });
    },
    end: async (messageId) => {
      const share = tracking.all.get().get(messageId);
      if (!share) return;
      const said = ending.say(share);
      following.look();
      await said.finally(following.look);
      tracking.drop(messageId);
    },
    stop: () => {
      for (const { stop } of [following, ending, tracking]) stop();
    },
  };
};
