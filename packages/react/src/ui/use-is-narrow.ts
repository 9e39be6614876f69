import { useSyncExternalStore } from 'react';

const query = '(max-width: 45rem)';

const subscribe = (changed: () => void) => {
  const list = matchMedia(query);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
};

/** Whether there is room for one pane only, as the styles have it. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
