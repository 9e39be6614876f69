import { useEffect, useState } from 'react';

const secondsLeft = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1000));

/** Counts down to a time; 0 once it has come. */
export function useSecondsUntil(until: number): number {
  const [, setTick] = useState(0);
  const left = secondsLeft(until);
  const isWaiting = left > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 500);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return left;
}
