/** The entry `@parley/react/reminders`: loaded after the first screen. */
export { lateReminderTexts as reminderTexts } from './late-texts.ts';
export { LaterSync, type LaterSyncProps } from './later-sync.tsx';
export { RemindDialog, type RemindDialogProps } from './remind-dialog.tsx';
export { RemindersScreen, type RemindersScreenProps } from './reminders-screen.tsx';
export { WhenPicker, type WhenPickerProps } from './when-picker.tsx';
