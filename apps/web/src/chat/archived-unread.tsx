import { useTexts } from '@parley/react';
import { appTexts } from '../app/texts.ts';
import styles from './places.module.css';
import { useUnreadTotal } from './use-unread-total.ts';

/** The way to archived conversations while one of them has something unread: what the title counts can be found and read there. */
export function ArchivedUnread({ onOpen }: { onOpen: () => void }) {
  const text = useTexts(appTexts);
  const unread = useUnreadTotal().archived;
  if (unread === 0) return null;
  return (
    <button type="button" className={styles.archived} onClick={onOpen}>
      {text('archivedChats')}
      <span className={styles.count} data-loud>
        {unread > 99 ? '99+' : unread}
      </span>
    </button>
  );
}
