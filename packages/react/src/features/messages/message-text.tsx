import { Fragment, useMemo } from 'react';
import { isJumbo, linkify } from './linkify.ts';
import styles from './message-text.module.css';

export type MessageTextProps = { text: string };

/** What somebody wrote: always data, never markup. */
export function MessageText({ text }: MessageTextProps) {
  const parts = useMemo(() => linkify(text), [text]);
  const jumbo = useMemo(() => isJumbo(text), [text]);
  let at = 0;
  return (
    <span dir="auto" className={styles.text} data-jumbo={jumbo || undefined}>
      {parts.map((part) => {
        const key = at;
        at += part.value.length;
        if (part.kind === 'text') return <Fragment key={key}>{part.value}</Fragment>;
        return (
          <a
            key={key}
            className={styles.link}
            href={part.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {part.value}
          </a>
        );
      })}
    </span>
  );
}
