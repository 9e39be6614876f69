import { useTexts } from '../../../i18n/text-context.tsx';
import { IconDown, IconUp } from '../../../ui/icons.tsx';
import { messageTexts } from '../texts.ts';
import styles from './new-messages-pill.module.css';

export type NewMessagesPillProps = {
  /** The number of messages that arrived since the reader left the end; 0 shows only the way back. */
  count: number;
  onJump: () => void;
};

/** The button that jumps to messages below. */
export function NewMessagesPill({ count, onJump }: NewMessagesPillProps) {
  const text = useTexts(messageTexts);
  return (
    <button type="button" className={styles.pill} data-new={count > 0 || undefined} onClick={onJump}>
      <IconDown size={16} />
      {count > 0 ? text('newMessages', { count: count }) : text('jumpToLatest')}
    </button>
  );
}

/** The button that jumps to the first unread message, where that is not loaded. */
export function FirstUnreadPill({ count, onJump }: NewMessagesPillProps) {
  const text = useTexts(messageTexts);
  return (
    <button type="button" className={styles.pill} data-new onClick={onJump}>
      <IconUp size={16} />
      {text('jumpToUnread', { count: count })}
    </button>
  );
}
