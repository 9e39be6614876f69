import { useTexts } from '../../../i18n/text-context.tsx';
import { IconClock, IconWarning } from '../../../ui/icons.tsx';
import { messageTexts } from '../texts.ts';
import styles from './message-delivery.module.css';

/** `queued` waits for a connection, `sending` for the server's answer, `pending` for its author to publish it. */
export type MessageDeliveryState = 'sent' | 'sending' | 'queued' | 'failed' | 'pending';

export type MessageDeliveryProps = {
  state: MessageDeliveryState;
  /** The reason why it failed. */
  reason?: string | undefined;
  onRetry?: (() => void) | undefined;
  onDiscard?: (() => void) | undefined;
};

/** Shows whether a message is being sent or has failed. */
export function MessageDelivery({ state, reason, onRetry, onDiscard }: MessageDeliveryProps) {
  const text = useTexts(messageTexts);
  if (state === 'sent') return null;
  if (state !== 'failed' && state !== 'pending') {
    return (
      <span className={styles.delivery}>
        <IconClock size={13} />
        {text(state)}
      </span>
    );
  }
  return (
    <span className={styles.delivery} data-failed={state === 'failed' || undefined} role="status">
      {state === 'failed' ? <IconWarning size={14} /> : <IconClock size={13} />}
      {text(state === 'failed' ? 'notSent' : 'pending')}
      {reason !== undefined && `: ${reason}`}
      {onRetry !== undefined && (
        <button type="button" className={styles.action} onClick={onRetry}>
          {text(state === 'failed' ? 'retry' : 'publish')}
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
