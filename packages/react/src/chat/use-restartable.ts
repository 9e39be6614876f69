import { useCallback, useEffect, useRef } from 'react';

type Effect = () => (() => void) | undefined;

/** Runs an effect whenever the function is another. Returns a function that stops it and runs it again, for a retry. */
export function useRestartable(effect: Effect): () => void {
  const stop = useRef<ReturnType<Effect>>(undefined);
  const start = useCallback(() => {
    stop.current?.();
    stop.current = effect();
  }, [effect]);
  useEffect(() => {
    start();
    return () => stop.current?.();
  }, [start]);
  return start;
}
