import type { VisibleMessage } from '@parley/client';
import { useClient } from '../../../chat/client-provider.tsx';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { MessageText } from '../../../markdown/message-text.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconClose, IconEye } from '../../../ui/icons.tsx';
import { lateMessageTexts } from '../late-texts.ts';
import styles from './ephemeral-message.module.css';

/** A message from the app to the reader alone, until they dismiss it. */
export function EphemeralMessage({ message }: { message: VisibleMessage }) {
  const text = useTexts(lateMessageTexts);
  const format = useFormat();
  const { messages } = useClient();
  const { created_at: at } = message;
  return (
    <article className={styles.row} data-row tabIndex={-1} aria-label={text('onlyYou')}>
      <div className={styles.card} role="status">
        <header className={styles.head}>
          <IconEye size={14} />
          <span>{text('onlyYou')}</span>
          <time dateTime={at} title={format.full(at)}>
            {format.time(at)}
          </time>
        </header>
        <MessageText text={message.text} />
      </div>
      <IconButton label={text('dismiss')} size="s" onClick={() => messages.dismiss(message)}>
        <IconClose size={16} />
      </IconButton>
    </article>
  );
}
