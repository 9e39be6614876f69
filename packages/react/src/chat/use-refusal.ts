import { ParleyError } from '@parley/client';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { useTexts } from '../i18n/text-context.tsx';
import { useNotices } from '../ui/notices.tsx';
import { errorTexts } from './error-texts.ts';
import { refusalWords } from './refusal-words.ts';

/** Calls the newest `show`; the same function from render to render. */
function useLatest<T>(show: (value: T) => void): (value: T) => void {
  const latest = useRef(show);
  useLayoutEffect(() => {
    latest.current = show;
  });
  return useCallback((value) => latest.current(value), []);
}

/** Shows a failure as a notice. */
export function useNotify(): (title: string) => void {
  const notices = useNotices();
  return useLatest((title) => void notices.show({ title, tone: 'danger' }));
}

/** Shows why the server refused something; the same function from render to render. A call that waits for the network is no refusal. */
export function useRefusal(): (error: unknown) => void {
  const notices = useNotices();
  const text = useTexts(errorTexts);
  return useLatest((error) => {
    if (error instanceof ParleyError)
      notices.show({ title: text('refused'), detail: refusalWords(error, text), tone: 'danger' });
  });
}
