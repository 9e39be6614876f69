import type { OwnReminder } from '@parley/client/reminders';
import { useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { laterBox } from './later-box.ts';

/** The own reminder on a message. */
export function useReminderOf(messageId: string): OwnReminder | undefined {
  return useReadable(useFeature(laterBox), ({ reminders }) => reminders.get(messageId));
}

/** The number of overdue reminders and of messages that wait to be sent. */
export function useLaterCounts(): { overdue: number; scheduled: number } {
  const later = useFeature(laterBox);
  const overdue = useReadable(later, (now) => now.overdue);
  const scheduled = useReadable(later, (now) => now.scheduled);
  return { overdue, scheduled };
}
