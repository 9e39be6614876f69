import type { ParleyClient } from '@parley/client';
import { createLocations, isLiveAt, type Locations, type SharedLocation } from '@parley/client/locations';
import { useEffect, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';

const made = new WeakMap<ParleyClient, Locations>();

const browserStorage = (): Storage | undefined => {
  try {
    return globalThis.localStorage;
  } catch {
    // Forbidden by the browser's settings: after a reload this is another device.
    return undefined;
  }
};

/** One for all that shows or shares places, for as long as the client lives. */
const locationsOf = (client: ParleyClient): Locations => {
  const known = made.get(client);
  if (known) return known;
  const { geolocation, permissions, locks } = navigator;
  const storage = browserStorage();
  const locations = createLocations(client, { geolocation, permissions, locks, storage });
  made.set(client, locations);
  return locations;
};

export const useLocations = (): Locations => locationsOf(useClient());

/** A timer takes no longer wait. */
const longestTimer = 2_000_000_000;

/** Whether a location is live now; told anew when it ends. */
export function useIsLive(location: Pick<SharedLocation, 'end_at'>): boolean {
  const { now } = useLocations();
  const [, setTick] = useState(0);
  const isLive = isLiveAt(location, now());
  const { end_at } = location;
  useEffect(() => {
    if (!isLive || end_at === undefined) return;
    const wait = Math.min(longestTimer, Date.parse(end_at) - now() + 50);
    const timer = setTimeout(() => setTick((tick) => tick + 1), wait);
    return () => clearTimeout(timer);
  }, [isLive, end_at, now]);
  return isLive;
}
