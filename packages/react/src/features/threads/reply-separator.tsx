import { useText } from '../../i18n/text-context.tsx';
import styles from './reply-separator.module.css';

/** Between a message and the replies to it. */
export function ReplySeparator({ count }: { count: number }) {
  const text = useText();
  return (
    <div className={styles.line}>{count === 0 ? text('noReplies') : text('replyCount', { n: count })}</div>
  );
}
