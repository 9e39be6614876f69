import { useEffect, useState } from 'react';

export type Loaded<T> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; value: T };

// Not all at once when a server comes back.
const retryMs = () => 3000 + Math.random() * 2000;

/**
 * What a dialog asks for when it opens, and again by itself where it did not come. `load` has to stay the same
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
