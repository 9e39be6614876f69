import { useEffect, useMemo } from 'react';

/** The listeners of a field in which characters are put together from several keys: `begin` returns the function that ends it. */
export function useComposition(begin: (() => () => void) | undefined) {
  const listeners = useMemo(() => {
    let end: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      clearTimeout(timer);
      end?.();
      end = undefined;
    };
    const onCompositionStart = () => {
      clearTimeout(timer);
      end ??= begin?.();
    };
    // Some browsers fire the input event only after the end.
    const onCompositionEnd = () => {
      timer = setTimeout(stop);
    };
    return { stop, field: { onCompositionStart, onCompositionEnd } };
  }, [begin]);
  // A field that is unmounted fires no end.
  useEffect(() => listeners.stop, [listeners]);
  return listeners.field;
}
