import { selectUserName } from '@parley/client';
import { useCallback } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type ExplainedChannel, type ExplainedThread, explainAll } from './explain-all.ts';
import { lateReadTexts } from './late-texts.ts';
import styles from './receipts.module.css';
import { useLoaded } from './use-loaded.ts';

/** A message, or the thread on it: then `parent_id` is its own id. */
export type UnreadSpot = { cid: string; id: string; parent_id?: string };

export type UnreadDialogProps = {
  onClose: () => void;
  onOpenMessage: (message: UnreadSpot) => void;
};

/** Every message that the unread numbers count, and the reason why it is counted. */
export function UnreadDialog({ onClose, onOpenMessage }: UnreadDialogProps) {
  const text = useTexts(lateReadTexts);
  const client = useClient();
  const loaded = useLoaded(useCallback(() => explainAll(client), [client]));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text('whyUnread')}>
      {loaded.status === 'loading' && <Spinner size={20} />}
      {loaded.status === 'failed' && <p role="alert">{text('failed')}</p>}
      {loaded.status === 'ready' && (
        <>
          {loaded.value.channels.length + loaded.value.threads.length === 0 && <p>{text('nothingUnread')}</p>}
          {loaded.value.channels.map((one) => (
            <ChannelUnread key={one.cid} explained={one} onOpenMessage={onOpenMessage} />
          ))}
          {loaded.value.threads.map((one) => (
            <ThreadUnread key={one.id} thread={one} onOpenMessage={onOpenMessage} />
          ))}
        </>
      )}
    </Dialog>
  );
}

type ChannelUnreadProps = Pick<UnreadDialogProps, 'onOpenMessage'> & {
  explained: ExplainedChannel;
};

function ChannelUnread({ explained, onOpenMessage }: ChannelUnreadProps) {
  const text = useTexts(lateReadTexts);
  const carriedText = useTexts(attachmentTexts);
  const format = useFormat();
  const { cid, name, isMuted, unread_count, last_read, marked_unread, messages, removed } = explained;
  const title = text('unreadIn', { count: unread_count, name });
  const since = last_read === undefined ? text('fromStart') : text('since', { when: format.full(last_read) });
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading} dir="auto">
        {title}
      </h3>
      <p className={styles.note}>{marked_unread ? text('markedUnread') : since}</p>
      {isMuted && <p className={styles.note}>{text('muted')}</p>}
      <ul className={styles.people}>
        {messages.map(({ reason, ...message }) => (
          <li key={message.id}>
            <button
              type="button"
              className={styles.message}
              onClick={() => onOpenMessage({ cid, id: message.id })}
            >
              <span className={styles.line}>
                <span dir="auto">{message.user ? selectUserName(message.user) : ''}</span>
                <time className={styles.time} dateTime={message.created_at}>
                  {format.short(message.created_at)}
                </time>
              </span>
              <span dir="auto" className={styles.note}>
                {reason === 'unread'
                  ? previewOf(summaryOf(explained.carriers.get(message.id) ?? message, carriedText))
                  : text(reason)}
              </span>
            </button>
          </li>
        ))}
        {removed > 0 && <li className={styles.note}>{text('removed', { count: removed })}</li>}
      </ul>
    </section>
  );
}

type ThreadUnreadProps = Pick<UnreadDialogProps, 'onOpenMessage'> & {
  thread: ExplainedThread;
};

function ThreadUnread({ thread, onOpenMessage }: ThreadUnreadProps) {
  const text = useTexts(lateReadTexts);
  const carriedText = useTexts(attachmentTexts);
  const { cid, id, name, unread, parent } = thread;
  const title = text('threadIn', { count: unread, name });
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading} dir="auto">
        {title}
      </h3>
      <p className={styles.note}>{text('followed')}</p>
      <button
        type="button"
        className={styles.message}
        onClick={() => onOpenMessage({ cid, id, parent_id: id })}
      >
        <span dir="auto" className={styles.note}>
          {parent.deleted_at === undefined
            ? previewOf(summaryOf(parent, carriedText))
            : text('messageDeleted')}
        </span>
      </button>
    </section>
  );
}
