export { ScheduledScreen, type ScheduledScreenProps } from '../scheduled-messages/scheduled-screen.tsx';
export { scheduledTexts } from '../scheduled-messages/texts.ts';
export { lateReminderTexts as reminderTexts } from './late-texts.ts';
export { LaterKeeper, type LaterKeeperProps } from './later-keeper.tsx';
export { RemindDialog, type RemindDialogProps } from './remind-dialog.tsx';
export { RemindersScreen, type RemindersScreenProps } from './reminders-screen.tsx';
export { WhenPicker, type WhenPickerProps } from './when-picker.tsx';
