import { type ReactNode, useMemo } from 'react';
import { MentionText } from '../features/mentions/mention-text.tsx';
import { linkify } from './linkify.ts';
import styles from './message-text.module.css';

/** Words, with their web addresses as links. */
export function LinkedText({ text }: { text: string }) {
  const parts = useMemo(() => linkify(text), [text]);
  let at = 0;
  return parts.map((part) => {
    const key = at;
    at += part.value.length;
    if (part.kind === 'text') return <MentionText key={key} text={part.value} />;
    return (
      <ExternalLink key={key} href={part.href}>
        {part.value}
      </ExternalLink>
    );
  });
}

export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
