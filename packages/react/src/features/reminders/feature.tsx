import type { VisibleMessage } from '@parley/client';
import { useTexts } from '../../i18n/text-context.tsx';
import { supplier } from '../../ui/collect.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { MessageDialogProps, MessageItemProps } from '../messages/message-item-props.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { reminderActions } from './reminder-actions.tsx';
import type { ReminderMarkProps } from './reminder-mark.tsx';
import { reminderTexts } from './texts.ts';
import { useReminderOf } from './use-later.ts';
import { useReminding } from './use-reminding.ts';

const ReminderMark = lazyPart<ReminderMarkProps>(
  async () => (await import('./reminder-mark.tsx')).ReminderMark,
);

const RemindDialog = lazyPart<MessageDialogProps>(
  async () => (await import('./remind-dialog.tsx')).MessageRemindDialog,
);

function ReminderFooter({ message, acts }: MessageItemProps) {
  const reminder = useReminderOf(message.id);
  return (
    reminder && <ReminderMark reminder={reminder} onOpen={() => acts.openDialog(RemindDialog, message)} />
  );
}

function useEntries({ message, acts }: MessageItemProps) {
  const remind = (about: VisibleMessage) => acts.openDialog(RemindDialog, about);
  const reminding = { ...useReminding(), remind };
  return reminderActions(message, useReminderOf(message.id), reminding, useTexts(reminderTexts));
}

export const reminders: MessagePart = {
  name: 'reminders',
  Footer: ReminderFooter,
  Menu: supplier(useEntries),
};
