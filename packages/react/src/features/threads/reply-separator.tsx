import { useTexts } from '../../i18n/text-context.tsx';
import styles from './reply-separator.module.css';
import { threadTexts } from './texts.ts';

/** The line between a message and its replies. */
export function ReplySeparator({ count }: { count: number }) {
  const text = useTexts(threadTexts);
  return (
    <div className={styles.line}>
      {count === 0 ? text('noReplies') : text('replyCount', { count: count })}
    </div>
  );
}
