import { useCallback, useLayoutEffect, useRef } from 'react';
import { useNotices } from '../ui/notices.tsx';

/** Shows a failure as a notice; the same function from render to render. */
export function useNotify(): (title: string) => void {
  const notices = useNotices();
  const show = useRef((_title: string) => {});
  useLayoutEffect(() => {
    show.current = (title) => void notices.show({ title, tone: 'danger' });
  });
  return useCallback((title) => show.current(title), []);
}
