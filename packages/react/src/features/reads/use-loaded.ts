import { useEffect, useState } from 'react';

export type Loaded<T> = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; value: T };

/** What a dialog asks for when it opens. `load` has to stay the same function between renders. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ status: 'loading' });
  useEffect(() => {
    let isOver = false;
    load().then(
      (value) => !isOver && setState({ status: 'ready', value }),
      () => !isOver && setState({ status: 'failed' }),
    );
    return () => {
      isOver = true;
    };
  }, [load]);
  return state;
}
