import { useCallback, useLayoutEffect, useRef } from 'react';
import type { TextKey } from '../i18n/english.ts';
import { useText } from '../i18n/text-context.tsx';
import { useNotices } from '../ui/notices.tsx';

type Values = Record<string, string | number>;

/** Shows a phrase of the kit as a notice; the same function from render to render. */
export function useNotify(): (key: TextKey, values?: Values) => void {
  const notices = useNotices();
  const text = useText();
  const show = useRef((_key: TextKey, _values?: Values) => {});
  useLayoutEffect(() => {
    show.current = (key, values) => void notices.show({ title: text(key, values), tone: 'danger' });
  });
  return useCallback((key, values) => show.current(key, values), []);
}
