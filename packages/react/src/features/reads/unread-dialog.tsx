import { selectUserName } from '@parley/client';
import { useCallback } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useFormat } from '../../i18n/text-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { fill, type ReceiptsTexts, receiptsEnglish } from './english.ts';
import { type ExplainedChannel, type ExplainedThread, explainAll } from './explain-all.ts';
import styles from './receipts.module.css';
import { useLoaded } from './use-loaded.ts';

/** A message, or the thread on it: then `parent_id` is its own id. */
export type UnreadSpot = { cid: string; id: string; parent_id?: string };

export type UnreadDialogProps = {
  onClose: () => void;
  onOpenMessage: (message: UnreadSpot) => void;
  texts?: Partial<ReceiptsTexts>;
};

/** Every message that the unread numbers are made of, and why it is among them. */
export function UnreadDialog({ onClose, onOpenMessage, texts: given }: UnreadDialogProps) {
  const texts = { ...receiptsEnglish, ...given };
  const client = useClient();
  const loaded = useLoaded(useCallback(() => explainAll(client), [client]));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={texts.whyUnread}>
      {loaded.status === 'loading' && <Spinner size={20} />}
      {loaded.status === 'failed' && <p role="alert">{texts.failed}</p>}
      {loaded.status === 'ready' && (
        <>
          {loaded.value.channels.length + loaded.value.threads.length === 0 && <p>{texts.nothingUnread}</p>}
          {loaded.value.channels.map((one) => (
            <ChannelUnread key={one.cid} explained={one} texts={texts} onOpenMessage={onOpenMessage} />
          ))}
          {loaded.value.threads.map((one) => (
            <ThreadUnread key={one.id} thread={one} texts={texts} onOpenMessage={onOpenMessage} />
          ))}
        </>
      )}
    </Dialog>
  );
}

type ChannelUnreadProps = Pick<UnreadDialogProps, 'onOpenMessage'> & {
  explained: ExplainedChannel;
  texts: ReceiptsTexts;
};

function ChannelUnread({ explained, texts, onOpenMessage }: ChannelUnreadProps) {
  const format = useFormat();
  const { cid, name, isMuted, unread_count, last_read, marked_unread, messages, removed } = explained;
  const title = fill(texts.unreadIn, { n: unread_count, name });
  const since =
    last_read === undefined ? texts.fromStart : fill(texts.since, { when: format.full(last_read) });
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading} dir="auto">
        {title}
      </h3>
      <p className={styles.note}>{marked_unread ? texts.markedUnread : since}</p>
      {isMuted && <p className={styles.note}>{texts.muted}</p>}
      <ul className={styles.people}>
        {messages.map(({ id, user, text, created_at, reason }) => (
          <li key={id}>
            <button type="button" className={styles.message} onClick={() => onOpenMessage({ cid, id })}>
              <span className={styles.line}>
                <span dir="auto">{user ? selectUserName(user) : ''}</span>
                <time className={styles.time} dateTime={created_at}>
                  {format.short(created_at)}
                </time>
              </span>
              <span dir="auto" className={styles.note}>
                {reason === 'unread' ? text : texts[reason]}
              </span>
            </button>
          </li>
        ))}
        {removed > 0 && <li className={styles.note}>{fill(texts.removed, { n: removed })}</li>}
      </ul>
    </section>
  );
}

type ThreadUnreadProps = Pick<UnreadDialogProps, 'onOpenMessage'> & {
  thread: ExplainedThread;
  texts: ReceiptsTexts;
};

function ThreadUnread({ thread, texts, onOpenMessage }: ThreadUnreadProps) {
  const { cid, id, name, unread, text } = thread;
  const title = fill(texts.threadIn, { n: unread, name });
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading} dir="auto">
        {title}
      </h3>
      <p className={styles.note}>{texts.followed}</p>
      <button
        type="button"
        className={styles.message}
        onClick={() => onOpenMessage({ cid, id, parent_id: id })}
      >
        <span dir="auto" className={styles.note}>
          {text}
        </span>
      </button>
    </section>
  );
}
