import type { Instant } from '../../../i18n/format.ts';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { messageTexts } from '../texts.ts';
import styles from './separators.module.css';

export type DateSeparatorProps = { at: Instant };

/** The line with the date between messages of two days. */
export function DateSeparator({ at }: DateSeparatorProps) {
  const format = useFormat();
  return (
    <div className={styles.date}>
      <time dateTime={new Date(at).toISOString()} className={styles.day}>
        {format.day(at)}
      </time>
    </div>
  );
}

export type UnreadSeparatorProps = { count?: number | undefined };

/** The line above the first unread message. */
export function UnreadSeparator({ count }: UnreadSeparatorProps) {
  const text = useTexts(messageTexts);
  return (
    <div className={styles.unread}>
      <span className={styles.label}>
        {count === undefined || count === 0 ? text('newDivider') : text('newMessages', { count: count })}
      </span>
    </div>
  );
}

export type SystemMessageProps = { text: string; at?: Instant };

/** A system message: an event of the channel, not the words of a user. */
export function SystemMessage({ text, at }: SystemMessageProps) {
  const format = useFormat();
  return (
    <article className={styles.system} data-row tabIndex={-1}>
      <span dir="auto">{text}</span>
      {at !== undefined && <time dateTime={new Date(at).toISOString()}> · {format.time(at)}</time>}
    </article>
  );
}
