import { selectUserName } from '@parley/client';
import type { Reminder } from '@parley/client/reminders';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useFeature } from '../../chat/client-provider.tsx';
import { useChannelTitle, useOpenChannel } from '../../chat/use-channel.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import type { TextOf } from '../../i18n/text.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconBookmark, IconCheck, IconClock } from '../../ui/icons.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { ChannelListSkeleton } from '../../ui/skeleton.tsx';
import { AllowNotifications } from './allow-notifications.tsx';
import { lateReminderTexts } from './late-texts.ts';
import { RemindDialog } from './remind-dialog.tsx';
import styles from './reminders.module.css';

export type RemindersScreenProps = {
  /** Opens the message in its conversation. */
  onOpen: (reminder: Reminder) => void;
  onBack?: (() => void) | undefined;
};

/** The reminders of the reader: overdue, upcoming, and saved for later. */
export function RemindersScreen({ onOpen, onBack }: RemindersScreenProps) {
  const text = useTexts(lateReminderTexts);
  return (
    <>
      <ChannelHeader name={text('reminders')} {...(onBack && { onBack })} />
      <Lists onOpen={onOpen} />
    </>
  );
}

type ListsProps = Pick<RemindersScreenProps, 'onOpen'>;

function Lists({ onOpen }: ListsProps) {
  const text = useTexts(lateReminderTexts);
  const reminders = useFeature(remindersFeature);
  const { overdue, upcoming, saved } = useReadable(reminders.groups);
  const isLoaded = useReadable(reminders.isLoaded);
  const [changed, setChanged] = useState<string>();
  if (overdue.length + upcoming.length + saved.length === 0)
    return isLoaded ? (
      <EmptyState icon={<IconBookmark size={28} />} title={text('empty')} hint={text('emptyHint')} />
    ) : (
      <ChannelListSkeleton label={text('loading')} />
    );
  const rows = { onOpen, onChange: setChanged };
  return (
    <div className={styles.page}>
      <Group title={text('overdue')} list={overdue} isLoud {...rows} />
      <Group title={text('upcoming')} list={upcoming} {...rows} />
      <Group title={text('later')} list={saved} {...rows} />
      <div className={styles.foot}>
        <AllowNotifications />
      </div>
      {changed !== undefined && <RemindDialog messageId={changed} onClose={() => setChanged(undefined)} />}
    </div>
  );
}

type RowActs = ListsProps & { onChange: (messageId: string) => void };

type GroupProps = RowActs & { title: string; list: readonly Reminder[]; isLoud?: boolean };

function Group({ title, list, isLoud = false, ...rows }: GroupProps) {
  if (list.length === 0) return null;
  return (
    <section className={styles.section} aria-label={title} data-loud={isLoud || undefined}>
      <h2 className={styles.heading}>
        {title} <span>{list.length}</span>
      </h2>
      <ul className={styles.list}>
        {list.map((reminder) => (
          <ReminderRow key={reminder.message_id} reminder={reminder} {...rows} />
        ))}
      </ul>
    </section>
  );
}

function useDone(reminder: Reminder, text: TextOf<typeof lateReminderTexts>) {
  const reminders = useFeature(remindersFeature);
  const notices = useNotices();
  const showRefusal = useRefusal();
  const { message_id: id, remind_at: at, note } = reminder;
  const isAhead = at !== undefined && Date.parse(at) > Date.now();
  const undo = () =>
    void reminders.set(id, { remindAt: isAhead ? at : null, note: note ?? null }).catch(showRefusal);
  return () =>
    void reminders
      .delete(id)
      .then(
        () => notices.show({ title: text('removed'), action: { label: text('undo'), onSelect: undo } }),
        showRefusal,
      );
}

function ReminderRow({ reminder, onOpen, onChange }: RowActs & { reminder: Reminder }) {
  const text = useTexts(lateReminderTexts);
  const format = useFormat();
  const { message_id: id, message, remind_at: at, note, cid } = reminder;
  // The message may be in a channel that is not loaded yet: its name is asked for.
  useOpenChannel(cid);
  const title = useChannelTitle(cid);
  const done = useDone(reminder, text);
  const author = message?.user ? selectUserName(message.user) : '';
  const carriedText = useTexts(attachmentTexts);
  const said =
    message?.deleted_at === undefined
      ? previewOf(message ? summaryOf(message, carriedText) : '')
      : text('deleted');
  return (
    <li className={styles.row}>
      <button type="button" className={styles.open} onClick={() => onOpen(reminder)}>
        <span className={styles.line}>
          {at !== undefined && (
            <time className={styles.when} dateTime={at}>
              {format.day(at)}, {format.time(at)}
            </time>
          )}
          <bdi>{title}</bdi>
          <bdi>{author}</bdi>
        </span>
        {note !== undefined && (
          <span dir="auto" className={styles.note}>
            {note}
          </span>
        )}
        <span dir="auto" className={styles.preview}>
          {said}
        </span>
      </button>
      <IconButton label={text('change')} onClick={() => onChange(id)}>
        <IconClock />
      </IconButton>
      <IconButton label={text('done')} onClick={done}>
        <IconCheck />
      </IconButton>
    </li>
  );
}
