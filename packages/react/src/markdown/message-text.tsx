import { useMemo } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import { LinkedText } from './linked-text.tsx';
import { isJumbo } from './linkify.ts';
import { isMarkdown } from './markdown-marks.ts';
import styles from './message-text.module.css';

// Loaded with the first message that needs it: until then the text is shown as it was typed.
export const LateMarkdown = lazyPart<MessageTextProps>(
  async () => (await import('./markdown-text.tsx')).MarkdownText,
  { Waiting: LinkedText, Missing: LinkedText },
);

export type MessageTextProps = { text: string };

/** The text of a message: always data, never markup. */
export function MessageText({ text }: MessageTextProps) {
  const jumbo = useMemo(() => isJumbo(text), [text]);
  return (
    <span dir="auto" className={styles.text} data-jumbo={jumbo || undefined}>
      {isMarkdown(text) ? <LateMarkdown text={text} /> : <LinkedText text={text} />}
    </span>
  );
}
