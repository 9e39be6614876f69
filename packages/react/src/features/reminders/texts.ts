import { defineTexts } from '../../i18n/catalogue.ts';

export const reminderTexts = defineTexts('reminders', {
  remindMe: 'Remind me…',
  changeReminder: 'Edit reminder…',
  removeReminder: 'Remove reminder',
  saveForLater: 'Save for later',
  removeFromSaved: 'Remove from saved',
});
