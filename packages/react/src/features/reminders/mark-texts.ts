import { defineTexts } from '../../i18n/catalogue.ts';

export const reminderMarkTexts = defineTexts('reminders', {
  reminderAt: 'Reminder: {when}',
  reminderWas: 'Overdue: {when}',
});
