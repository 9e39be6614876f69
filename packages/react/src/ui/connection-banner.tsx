import { useTexts } from '../i18n/text-context.tsx';
import styles from './connection-banner.module.css';
import { connectionTexts } from './connection-texts.ts';
import { IconCheck, IconWarning } from './icons.tsx';
import { Spinner } from './spinner.tsx';

/** `online` shows nothing; `recovered` is for the few seconds after a break. */
export type ConnectionView =
  | { state: 'online' }
  | { state: 'connecting' }
  | { state: 'offline' }
  | { state: 'reconnecting'; seconds: number }
  | { state: 'recovered' };

export type ConnectionBannerProps = { connection: ConnectionView; onRetry?: () => void };

/** The banner that shows when the connection is lost. */
export function ConnectionBanner({ connection, onRetry }: ConnectionBannerProps) {
  const text = useTexts(connectionTexts);
  const waiting = connection.state === 'reconnecting' && connection.seconds > 0;
  return (
    <div role="status" className={styles.region}>
      {connection.state !== 'online' && (
        <div className={styles.banner} data-state={connection.state}>
          <BannerIcon state={connection.state} />
          {connection.state === 'connecting' && text('connecting')}
          {connection.state === 'offline' && text('connectionOffline')}
          {connection.state === 'recovered' && text('backOnline')}
          {connection.state === 'reconnecting' && (
            /* A countdown that is announced every second would drown out the conversation. */
            <span aria-hidden={waiting || undefined}>
              {waiting ? text('reconnectingIn', { count: connection.seconds }) : text('reconnecting')}
            </span>
          )}
          {waiting && onRetry !== undefined && (
            <button type="button" className={styles.retry} onClick={onRetry}>
              {text('reconnectNow')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function BannerIcon({ state }: { state: ConnectionView['state'] }) {
  if (state === 'recovered') return <IconCheck size={16} />;
  if (state === 'offline') return <IconWarning size={16} />;
  return <Spinner size={14} />;
}
