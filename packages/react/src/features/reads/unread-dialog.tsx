import { type ParleyClient, selectChannelTitle, selectUserName } from '@parley/client';
import { explainUnreadFully, type FullUnreadExplanation } from '@parley/client/receipts';
import { useCallback } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useFormat } from '../../i18n/text-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { fill, type ReceiptsTexts, receiptsEnglish } from './english.ts';
import styles from './receipts.module.css';
import { useLoaded } from './use-loaded.ts';

export type UnreadDialogProps = {
  onClose: () => void;
  onOpenMessage: (message: { cid: string; id: string }) => void;
  texts?: Partial<ReceiptsTexts>;
};

type Explained = FullUnreadExplanation & { cid: string; name: string };
const mostChannels = 20;

const explainAll = async (client: ParleyClient): Promise<Explained[]> => {
  const { channels } = await client.reads.unread();
  const cids = channels.slice(0, mostChannels).map(({ channel_id }) => channel_id);
  return Promise.all(
    cids.map(async (cid) => {
      const state = client.channels.state(cid).get();
      return {
        ...(await explainUnreadFully(client, cid)),
        cid,
        name: state ? selectChannelTitle(state) : cid,
      };
    }),
  );
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
      {loaded.status === 'ready' && loaded.value.length === 0 && <p>{texts.nothingUnread}</p>}
      {loaded.status === 'ready' &&
        loaded.value.map((one) => (
          <ChannelUnread key={one.cid} explained={one} texts={texts} onOpenMessage={onOpenMessage} />
        ))}
    </Dialog>
  );
}

type ChannelUnreadProps = Pick<UnreadDialogProps, 'onOpenMessage'> & {
  explained: Explained;
  texts: ReceiptsTexts;
};

function ChannelUnread({ explained, texts, onOpenMessage }: ChannelUnreadProps) {
  const format = useFormat();
  const { cid, name, unread_count, last_read, marked_unread, messages, removed } = explained;
  const title = fill(texts.unreadIn, { n: unread_count, name });
  const since =
    last_read === undefined ? texts.fromStart : fill(texts.since, { when: format.full(last_read) });
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading} dir="auto">
        {title}
      </h3>
      <p className={styles.note}>{marked_unread ? texts.markedUnread : since}</p>
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
