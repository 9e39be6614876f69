import { type ChannelState, selectUserName, type VisibleMessage } from '@parley/client';
import { countMarks, deliveredTo, type MessageReceipts, receipts, seenBy } from '@parley/client/reads';
import { useCallback } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { lateReadTexts } from './late-texts.ts';
import styles from './receipts.module.css';
import { useLoaded } from './use-loaded.ts';

export type MessageInfoDialogProps = {
  message: VisibleMessage;
  /** Its text, or what it shows instead. */
  words: string;
  onClose: () => void;
};

/** A key that changes when another user has read the message or got it delivered. */
const marksOf = (state: ChannelState | undefined, message: VisibleMessage): string => {
  if (state === undefined) return '';
  const counts = countMarks(state, message);
  const { read, delivered } = counts ?? {
    read: seenBy(state, message).length,
    delivered: deliveredTo(state, message).length,
  };
  return `${read} ${delivered}`;
};

/** The users who have read a message or got it delivered, with the times. */
export function MessageInfoDialog({ message, words, onClose }: MessageInfoDialogProps) {
  const text = useTexts(lateReadTexts);
  const client = useClient();
  const format = useFormat();
  const marks = useChannel(message.cid, (state) => marksOf(state, message));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `marks` is not read: who reads the message while this is open is asked for again
  const load = useCallback(() => client.feature(receipts).of(message.id), [client, message.id, marks]);
  const loaded = useLoaded(load);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text('messageInfo')}>
      <p dir="auto" className={styles.quote}>
        {previewOf(words)}
      </p>
      <p className={styles.note}>
        {text('sent')} {format.full(message.created_at)}
      </p>
      {loaded.status === 'loading' && <Spinner size={20} />}
      {loaded.status === 'failed' && <p role="alert">{text('failed')}</p>}
      {loaded.status === 'ready' && <Receipts receipts={loaded.value} />}
    </Dialog>
  );
}

function Receipts({ receipts }: { receipts: MessageReceipts }) {
  const text = useTexts(lateReadTexts);
  const { member_count: all, read_count, delivered_count } = receipts;
  return (
    <>
      <People title={text('readBy')} people={receipts.read} count={read_count} all={all} />
      <People title={text('deliveredTo')} people={receipts.delivered} count={delivered_count} all={all} />
    </>
  );
}

type PeopleProps = {
  title: string;
  people: MessageReceipts['read'];
  count: number;
  all: number;
};

function People({ title, people, count, all }: PeopleProps) {
  const text = useTexts(lateReadTexts);
  const format = useFormat();
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading}>
        {title} <span className={styles.count}>{text('countOf', { count, all })}</span>
      </h3>
      <ul className={styles.people}>
        {people.map(({ user, at }) => (
          <li key={user.id} className={styles.person}>
            <Avatar id={user.id} name={selectUserName(user)} imageUrl={user.image} size="s" />
            <span dir="auto">{selectUserName(user)}</span>
            {at !== undefined && (
              <time className={styles.time} dateTime={at}>
                {format.day(at)} {format.time(at)}
              </time>
            )}
          </li>
        ))}
        {count === 0 && <li className={styles.note}>{text('nobody')}</li>}
        {count > people.length && (
          <li className={styles.note}>{text('others', { count: count - people.length })}</li>
        )}
      </ul>
    </section>
  );
}
