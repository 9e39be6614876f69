import { useTexts } from '../../i18n/text-context.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { MessageItemProps } from '../messages/message-item-props.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { reminderActions } from './reminder-actions.tsx';
import type { ReminderMarkProps } from './reminder-mark.tsx';
import { reminderTexts } from './texts.ts';
import { useReminderOf } from './use-later.ts';
import { useReminding } from './use-reminding.tsx';

const ReminderMark = lazyPart<ReminderMarkProps>(
  async () => (await import('./reminder-mark.tsx')).ReminderMark,
);

function ReminderFooter({ message, acts }: MessageItemProps) {
  const reminder = useReminderOf(message.id);
  return reminder && <ReminderMark reminder={reminder} onOpen={() => acts.remind(message)} />;
}

export const reminders: MessagePart = {
  name: 'reminders',
  Footer: ReminderFooter,
  useMenu: ({ message, acts }) =>
    reminderActions(message, useReminderOf(message.id), acts, useTexts(reminderTexts)),
  useActs: useReminding,
};
