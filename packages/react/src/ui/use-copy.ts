import { useCallback } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { useNotices } from './notices.tsx';

/** Copies a text, and shows `done` as a notice, or that it couldn't; resolves to true when it is copied. */
export function useCopy(): (words: string, done?: string) => Promise<boolean> {
  const notices = useNotices();
  const text = useTexts(commonTexts);
  return useCallback(
    async (words, done) => {
      try {
        // A page that was not opened over https has no clipboard.
        await navigator.clipboard.writeText(words);
        if (done) notices.show({ title: done, tone: 'success' });
        return true;
      } catch {
        notices.show({ title: text('notCopied'), tone: 'danger' });
        return false;
      }
    },
    [notices, text],
  );
}
