import { defineTexts } from '../../i18n/catalogue.ts';

export const reminderMarkTexts = defineTexts('reminders', {
  savedForLater: 'Saved for later',
  reminderAt: 'Reminder: {when}',
  reminderWas: 'Overdue: {when}',
});
