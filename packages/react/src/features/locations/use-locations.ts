import { isLiveAt, type Locations, locations, type SharedLocation } from '@parley/client/locations';
import { useEffect, useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';

/** The locations of the client. */
export const useLocations = (): Locations => useFeature(locations);

const minute = 60_000;

/** The whole minutes since a time; renders again as they pass. */
export function useMinutesSince(at: string): number {
  const { now } = useLocations();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), minute / 4);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now() - Date.parse(at)) / minute));
}

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
