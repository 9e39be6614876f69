import { lazy, Suspense, useMemo } from 'react';
import { LinkedText } from './linked-text.tsx';
import { isJumbo } from './linkify.ts';
import { isMarkdown } from './markdown-marks.ts';
import styles from './message-text.module.css';

// Loaded with the first message that needs it: until then it stands as it was typed.
const MarkdownText = lazy(async () => ({ default: (await import('./markdown-text.tsx')).MarkdownText }));

export type MessageTextProps = { text: string };

/** What somebody wrote: always data, never markup. */
export function MessageText({ text }: MessageTextProps) {
  const jumbo = useMemo(() => isJumbo(text), [text]);
  const plain = <LinkedText text={text} />;
  return (
    <span dir="auto" className={styles.text} data-jumbo={jumbo || undefined}>
      {isMarkdown(text) ? (
        <Suspense fallback={plain}>
          <MarkdownText text={text} />
        </Suspense>
      ) : (
        plain
      )}
    </span>
  );
}
