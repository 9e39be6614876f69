import { isLiveAt, type Locations, locations, type SharedLocation } from '@parley/client/locations';
import { useEffect, useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';

/** The locations of the client. */
export const useLocations = (): Locations => useFeature(locations);

/** Browsers fire a timer at once that waits longer. */
const longestTimer = 2_000_000_000;

/** True while a location is live; renders again when it ends. */
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
