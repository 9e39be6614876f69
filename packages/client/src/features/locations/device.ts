import type { DeviceStorage } from '../../browser.ts';

const key = 'parley device';

/** The same on every visit, so that a reload goes on with what this device shares. */
export const deviceIdOf = (storage: DeviceStorage | undefined, uuid: () => string): string => {
  const made = uuid();
  try {
    const known = storage?.getItem(key);
    if (known) return known;
    storage?.setItem(key, made);
  } catch {
    // Forbidden by the browser's settings: a reload is then another device.
  }
  return made;
};
