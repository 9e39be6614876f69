import type { VisibleMessage } from '@parley/client';
import type { OwnReminder } from '@parley/client/reminders';
import type { TextOf } from '../../i18n/text.ts';
import { IconBookmark, IconClock } from '../../ui/icons.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import type { reminderTexts } from './texts.ts';

export type ReminderActs = {
  /** Asks for the time. */
  remind: (message: VisibleMessage) => void;
  save: (message: VisibleMessage) => void;
  delete: (message: VisibleMessage) => void;
};

/** The entries about reminders in the menu of a message. */
export const reminderActions = (
  message: VisibleMessage,
  reminder: OwnReminder | undefined,
  acts: ReminderActs,
  text: TextOf<typeof reminderTexts>,
): MenuAction[] => {
  if (message.status !== 'sent' || message.type === 'deleted') return [];
  const [clock, bookmark] = [<IconClock key="c" size={18} />, <IconBookmark key="b" size={18} />];
  const isTimed = reminder?.remind_at !== undefined;
  return [
    {
      group: 'later',
      id: 'remind',
      label: text(isTimed ? 'changeReminder' : 'remindMe'),
      icon: clock,
      onSelect: () => acts.remind(message),
    },
    reminder
      ? {
          group: 'later',
          id: 'forget',
          label: text(isTimed ? 'removeReminder' : 'removeFromSaved'),
          icon: bookmark,
          onSelect: () => acts.delete(message),
        }
      : {
          group: 'later',
          id: 'save',
          label: text('saveForLater'),
          icon: bookmark,
          onSelect: () => acts.save(message),
        },
  ];
};
