import { useEffect, useState } from 'react';

export type Loaded<T> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; value: T };

// Random, so that not all clients retry at once when a server comes back.
const retryMs = () => 3000 + Math.random() * 2000;

/**
 * Loads the content of a dialog when it opens, and retries by itself after a failure. `load` has to stay the same
 * function between renders.
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ status: 'loading' });
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () =>
      load().then(
        (value) => !isOver && setState({ status: 'ready', value }),
        () => {
          if (isOver) return;
          setState({ status: 'failed' });
          timer = setTimeout(ask, retryMs());
        },
      );
    ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load]);
  return state;
}
