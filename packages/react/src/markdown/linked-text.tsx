import { Fragment, type ReactNode, useContext, useMemo } from 'react';
import { linkify } from './linkify.ts';
import styles from './message-text.module.css';
import { PlainText } from './plain-text.ts';

/** Words, with their web addresses as links. */
export function LinkedText({ text }: { text: string }) {
  const parts = useMemo(() => linkify(text), [text]);
  const draw = useContext(PlainText);
  let at = 0;
  return parts.map((part) => {
    const key = at;
    at += part.value.length;
    if (part.kind === 'text') return <Fragment key={key}>{draw(part.value)}</Fragment>;
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
