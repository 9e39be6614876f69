import { ParleyError } from '@parley/client';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { useTexts } from '../i18n/text-context.tsx';
import { useNotices } from '../ui/notices.tsx';
import { errorTexts } from './error-texts.ts';
import { refusalWords } from './refusal-words.ts';

/** Tells why the server refused something; the same function from render to render. What waits for the network is no refusal. */
export function useRefusal(): (error: unknown) => void {
  const notices = useNotices();
  const text = useTexts(errorTexts);
  const show = useRef((_error: ParleyError) => {});
  useLayoutEffect(() => {
    show.current = (error) =>
      void notices.show({ title: text('refused'), detail: refusalWords(error, text), tone: 'danger' });
  });
  return useCallback((error) => {
    if (error instanceof ParleyError) show.current(error);
  }, []);
}
