import type { OwnReminder } from '@parley/client/reminders';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { IconBookmark, IconClock } from '../../ui/icons.tsx';
import { reminderMarkTexts } from './mark-texts.ts';
import styles from './reminder-mark.module.css';

export type ReminderMarkProps = { reminder: OwnReminder; onOpen: () => void };

/** The mark under a message with a reminder. Only the user who set it sees it. */
export function ReminderMark({ reminder, onOpen }: ReminderMarkProps) {
  const text = useTexts(reminderMarkTexts);
  const format = useFormat();
  const { remind_at: at, notified_at: notifiedAt, note } = reminder;
  return (
    <button
      type="button"
      className={styles.mark}
      data-overdue={notifiedAt !== undefined || undefined}
      onClick={onOpen}
    >
      {at === undefined ? <IconBookmark size={13} /> : <IconClock size={13} />}
      {at === undefined
        ? text('savedForLater')
        : text(notifiedAt === undefined ? 'reminderAt' : 'reminderWas', {
            when: `${format.day(at)}, ${format.time(at)}`,
          })}
      {note !== undefined && <span className={styles.note}>· {note}</span>}
    </button>
  );
}
