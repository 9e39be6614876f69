import { useText } from '../../i18n/text-context.tsx';
import { IconClock, IconWarning } from '../../ui/icons.tsx';
import styles from './message-delivery.module.css';

/** `queued` waits for a connection, `sending` for the server's answer. */
export type MessageDeliveryState = 'sent' | 'sending' | 'queued' | 'failed';

export type MessageDeliveryProps = {
  state: MessageDeliveryState;
  onRetry?: (() => void) | undefined;
  onDiscard?: (() => void) | undefined;
};

export function MessageDelivery({ state, onRetry, onDiscard }: MessageDeliveryProps) {
  const text = useText();
  if (state === 'sent') return null;
  if (state !== 'failed') {
    return (
      <span className={styles.delivery}>
        <IconClock size={13} />
        {text(state)}
      </span>
    );
  }
  return (
    <span className={styles.delivery} data-failed role="status">
      <IconWarning size={14} />
      {text('notSent')}
      {onRetry !== undefined && (
        <button type="button" className={styles.action} onClick={onRetry}>
          {text('retry')}
        </button>
      )}
      {onDiscard !== undefined && (
        <button type="button" className={styles.action} onClick={onDiscard}>
          {text('delete')}
        </button>
      )}
    </span>
  );
}
