export { lateReminderTexts as reminderTexts } from './features/reminders/late-texts.ts';
export { LaterSync, type LaterSyncProps } from './features/reminders/later-sync.tsx';
export { RemindDialog, type RemindDialogProps } from './features/reminders/remind-dialog.tsx';
export { RemindersScreen, type RemindersScreenProps } from './features/reminders/reminders-screen.tsx';
export { WhenPicker, type WhenPickerProps } from './features/reminders/when-picker.tsx';
export {
  ScheduledScreen,
  type ScheduledScreenProps,
} from './features/scheduled-messages/scheduled-screen.tsx';
export { scheduledTexts } from './features/scheduled-messages/texts.ts';
