import { type ChannelState, selectUserName, type VisibleMessage } from '@parley/client';
import {
  countMarks,
  createReceipts,
  deliveredTo,
  type MessageReceipts,
  seenBy,
} from '@parley/client/receipts';
import { useCallback } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useFormat } from '../../i18n/text-context.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useChannel } from '../channels/use-channel.ts';
import { fill, type ReceiptsTexts, receiptsEnglish } from './english.ts';
import styles from './receipts.module.css';
import { useLoaded } from './use-loaded.ts';

export type MessageInfoDialogProps = {
  message: VisibleMessage;
  onClose: () => void;
  texts?: Partial<ReceiptsTexts>;
};

/** Another text whenever somebody else has read the message, or has it. */
const marksOf = (state: ChannelState | undefined, message: VisibleMessage): string => {
  if (state === undefined) return '';
  const counts = countMarks(state, message);
  const { read, delivered } = counts ?? {
    read: seenBy(state, message).length,
    delivered: deliveredTo(state, message).length,
  };
  return `${read} ${delivered}`;
};

/** Who has read a message, whom it has reached, and when. */
export function MessageInfoDialog({ message, onClose, texts: given }: MessageInfoDialogProps) {
  const texts = { ...receiptsEnglish, ...given };
  const client = useClient();
  const format = useFormat();
  const marks = useChannel(message.cid, (state) => marksOf(state, message));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `marks` is not read: who reads the message while this is open is asked for again
  const load = useCallback(() => createReceipts(client).of(message.id), [client, message.id, marks]);
  const loaded = useLoaded(load);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={texts.messageInfo}>
      <p dir="auto" className={styles.quote}>
        {message.text}
      </p>
      <p className={styles.note}>
        {texts.sent} {format.full(message.created_at)}
      </p>
      {loaded.status === 'loading' && <Spinner size={20} />}
      {loaded.status === 'failed' && <p role="alert">{texts.failed}</p>}
      {loaded.status === 'ready' && <Receipts receipts={loaded.value} texts={texts} />}
    </Dialog>
  );
}

function Receipts({ receipts, texts }: { receipts: MessageReceipts; texts: ReceiptsTexts }) {
  const { member_count: all, read_count, delivered_count } = receipts;
  const onlyDelivered = delivered_count - read_count;
  return (
    <>
      <People title={texts.read} people={receipts.read} count={read_count} all={all} texts={texts} />
      <People
        title={texts.delivered}
        people={receipts.delivered}
        count={onlyDelivered}
        all={all}
        texts={texts}
      />
    </>
  );
}

type PeopleProps = {
  title: string;
  people: MessageReceipts['read'];
  count: number;
  all: number;
  texts: ReceiptsTexts;
};

function People({ title, people, count, all, texts }: PeopleProps) {
  const format = useFormat();
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.heading}>
        {title} <span className={styles.count}>{fill(texts.countOf, { n: count, all })}</span>
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
        {count === 0 && <li className={styles.note}>{texts.nobody}</li>}
        {count > people.length && (
          <li className={styles.note}>{fill(texts.others, { n: count - people.length })}</li>
        )}
      </ul>
    </section>
  );
}
