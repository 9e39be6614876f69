/** The parts of the browser that late features use; read when a feature is made, so that Node needs none of them. */

/** The part of `localStorage` that is used. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
/** The part of `navigator.geolocation` that is used. */
export type PositionSource = Pick<Geolocation, 'getCurrentPosition' | 'watchPosition' | 'clearWatch'>;
/** The part of `navigator.locks` that is used. */
export type Locks = Pick<LockManager, 'request'>;
/** The part of `navigator.permissions` that is used. */
export type PermissionSource = Pick<Permissions, 'query'>;

/** The given storage, or `localStorage`; undefined where there is none or the settings forbid it. */
export const storageOf = (given: DeviceStorage | undefined): DeviceStorage | undefined => {
  try {
    return given ?? globalThis.localStorage;
  } catch {
    return undefined;
  }
};
