import type { ScheduledMessage } from '@parley/client/scheduled-messages';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useFeature } from '../../chat/client-provider.tsx';
import { useChannelTitle, useOpenChannel } from '../../chat/use-channel.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClock, IconEdit, IconTrash } from '../../ui/icons.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { ChannelListSkeleton } from '../../ui/skeleton.tsx';
import styles from '../reminders/reminders.module.css';
import { lateScheduledTexts } from './late-texts.ts';
import { ScheduledDialog } from './scheduled-dialog.tsx';

export type ScheduledScreenProps = {
  onOpen: (cid: string, parentId: string | undefined) => void;
  onBack?: (() => void) | undefined;
};

/** The messages that wait to be sent, and those that could not be sent. */
export function ScheduledScreen({ onOpen, onBack }: ScheduledScreenProps) {
  const text = useTexts(lateScheduledTexts);
  const scheduled = useFeature(scheduledMessages);
  const all = useReadable(scheduled.all);
  const isLoaded = useReadable(scheduled.isLoaded);
  const [changed, setChanged] = useState<ScheduledMessage>();
  return (
    <>
      <ChannelHeader name={text('scheduled')} {...(onBack && { onBack })} />
      {all.length === 0 && !isLoaded && <ChannelListSkeleton label={text('loading')} />}
      {all.length === 0 && isLoaded && (
        <EmptyState
          icon={<IconClock size={28} />}
          title={text('scheduledEmpty')}
          hint={text('scheduledEmptyHint')}
        />
      )}
      {all.length > 0 && (
        <div className={styles.page}>
          <ul className={styles.list}>
            {all.map((one) => (
              <ScheduledRow key={one.id} one={one} onOpen={onOpen} onChange={() => setChanged(one)} />
            ))}
          </ul>
        </div>
      )}
      {changed && <ScheduledDialog one={changed} onClose={() => setChanged(undefined)} />}
    </>
  );
}

type ScheduledRowProps = {
  one: ScheduledMessage;
  onOpen: ScheduledScreenProps['onOpen'];
  onChange: () => void;
};

function ScheduledRow({ one, onOpen, onChange }: ScheduledRowProps) {
  const format = useFormat();
  const text = useTexts(lateScheduledTexts);
  const notices = useNotices();
  const showRefusal = useRefusal();
  const scheduled = useFeature(scheduledMessages);
  const { cid, message, send_at: at, status, error } = one;
  useOpenChannel(cid);
  const title = useChannelTitle(cid);
  const cancel = () =>
    void scheduled.delete(one.id).then(() => notices.show({ title: text('cancelled') }), showRefusal);
  return (
    <li className={`${styles.section} ${styles.row}`} data-failed={status === 'failed' || undefined}>
      <button type="button" className={styles.open} onClick={() => onOpen(cid, message.parent_id)}>
        <span className={styles.line}>
          <time className={styles.when} dateTime={at}>
            {format.day(at)}, {format.time(at)}
          </time>
          <bdi>{title}</bdi>
          {message.parent_id !== undefined && <span>{text('thread')}</span>}
        </span>
        <span dir="auto" className={styles.preview}>
          {previewOf(message.text ?? '')}
        </span>
        {status === 'failed' && (
          <span role="alert" className={styles.error}>
            {text('scheduledFailed', { why: error ?? '' })}
          </span>
        )}
      </button>
      <IconButton label={text('change')} onClick={onChange}>
        <IconEdit />
      </IconButton>
      <IconButton label={text('cancelSend')} onClick={cancel}>
        <IconTrash />
      </IconButton>
    </li>
  );
}
