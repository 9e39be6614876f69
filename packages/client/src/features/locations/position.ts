/** The position of this device, as its browser reports it. */
import type { Locks, PermissionSource, PositionSource } from '../../browser.ts';
import { createBatch, createCell, type Readable } from '../../readable.ts';

export type Coordinates = { latitude: number; longitude: number };
export type PositionTrouble = 'denied' | 'unavailable' | 'unsupported';

/** Why the position cannot be read. */
export class PositionError extends Error {
  readonly trouble: PositionTrouble;
  constructor(trouble: PositionTrouble) {
    super(`The position is ${trouble}`);
    this.trouble = trouble;
  }
}

const denied = 1;
const options = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 3000 };
const troubleOf = ({ code }: Pick<GeolocationPositionError, 'code'>): PositionTrouble =>
  code === denied ? 'denied' : 'unavailable';
const placeOf = ({ coords: { latitude, longitude } }: GeolocationPosition): Coordinates => ({
  latitude,
  longitude,
});

export const readPosition = (source: PositionSource | undefined): Promise<Coordinates> =>
  new Promise((resolve, reject) => {
    if (!source) return reject(new PositionError('unsupported'));
    source.getCurrentPosition(
      (found) => resolve(placeOf(found)),
      (error) => reject(new PositionError(troubleOf(error))),
      options,
    );
  });

/** Calls the listener, until it is stopped, when the browser is allowed to report its position. */
const onAllowed = (permissions: PermissionSource, listener: () => void): (() => void) => {
  const over = new AbortController();
  const { signal } = over;
  permissions.query({ name: 'geolocation' }).then(
    (permission) => {
      const look = () => permission.state === 'granted' && listener();
      if (!signal.aborted) permission.addEventListener('change', look, { signal });
    },
    // Some browsers do not answer for places.
    () => undefined,
  );
  return () => over.abort();
};

type WatchOptions = {
  source: PositionSource | undefined;
  permissions: PermissionSource | undefined;
  locks: Locks | undefined;
  /** The tabs of a browser in which this is the same wait for each other. */
  lockName(): string;
  onMove(where: Coordinates): void;
};

type PositionWatch = {
  trouble: Readable<PositionTrouble | undefined>;
  setOn(isOn: boolean): void;
};

/** Follows the device while it is on. Of several tabs of a browser one does: the others wait for the lock. */
export const createPositionWatch = ({
  source,
  permissions,
  locks,
  lockName,
  onMove,
}: WatchOptions): PositionWatch => {
  const trouble = createCell<PositionTrouble | undefined>(undefined, createBatch());
  let stopWatching: (() => void) | undefined;

  const follow = (): (() => void) => {
    if (!source) {
      trouble.set('unsupported');
      return () => undefined;
    }
    const begin = (): number =>
      source.watchPosition(
        (found) => {
          trouble.set(undefined);
          onMove(placeOf(found));
        },
        (error) => trouble.set(troubleOf(error)),
        options,
      );
    let watch = begin();
    // A watch that was denied reports nothing ever again, even if it is allowed later.
    const forget =
      permissions &&
      onAllowed(permissions, () => {
        source.clearWatch(watch);
        watch = begin();
      });
    return () => {
      forget?.();
      source.clearWatch(watch);
    };
  };

  const followAlone = (all: Locks): (() => void) => {
    const waiting = new AbortController();
    let release: (() => void) | undefined;
    const held = all.request(lockName(), { signal: waiting.signal }, () => {
      const stop = follow();
      return new Promise<void>((resolve) => {
        release = () => {
          stop();
          resolve();
        };
      });
    });
    // Rejected when it is not waited for any more.
    held.catch(() => undefined);
    return () => {
      waiting.abort();
      release?.();
    };
  };

  return {
    trouble,
    setOn: (isOn) => {
      if (isOn === (stopWatching !== undefined)) return;
      if (isOn) {
        stopWatching = locks ? followAlone(locks) : follow();
        return;
      }
      stopWatching?.();
      stopWatching = undefined;
      trouble.set(undefined);
    },
  };
};
