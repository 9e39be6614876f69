import { useEffect, useMemo } from 'react';

/** The listeners of a field in which characters are put together from several keys: `begin` returns what ends it. */
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
    // Some browsers tell of the text only after the end.
    const onCompositionEnd = () => {
      timer = setTimeout(stop);
    };
    return { stop, field: { onCompositionStart, onCompositionEnd } };
  }, [begin]);
  // A field that goes does not tell of the end.
  useEffect(() => listeners.stop, [listeners]);
  return listeners.field;
}
