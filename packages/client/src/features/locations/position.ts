/** Where this device is, as its browser tells. */
import { createBatch, createCell, type Readable } from '../../readable.ts';

export type Coordinates = { latitude: number; longitude: number };
/** The part of the browser's `navigator.geolocation` that is used. */
export type PositionSource = Pick<Geolocation, 'getCurrentPosition' | 'watchPosition' | 'clearWatch'>;
/** The part of `navigator.locks`. */
export type Locks = Pick<LockManager, 'request'>;
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

type WatchOptions = {
  source: PositionSource | undefined;
  locks: Locks | undefined;
  /** The tabs of a browser in which this is the same wait for each other. */
  lockName(): string;
  onMove(where: Coordinates): void;
};

/** Follows the device while it is on. Of several tabs of a browser one does: the others wait for the lock. */
export const createPositionWatch = ({ source, locks, lockName, onMove }: WatchOptions) => {
  const trouble = createCell<PositionTrouble | undefined>(undefined, createBatch());
  let stopWatching: (() => void) | undefined;

  const follow = (): (() => void) => {
    if (!source) {
      trouble.set('unsupported');
      return () => undefined;
    }
    const watch = source.watchPosition(
      (found) => {
        trouble.set(undefined);
        onMove(placeOf(found));
      },
      (error) => trouble.set(troubleOf(error)),
      options,
    );
    return () => source.clearWatch(watch);
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
    trouble: trouble as Readable<PositionTrouble | undefined>,
    setOn: (isOn: boolean): void => {
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
