import { defineTexts } from '../../i18n/catalogue.ts';

export const lateScheduledTexts = defineTexts('scheduledMessages', {
  schedule: 'Schedule',
  scheduledFor: 'Will be sent: {when}',
  scheduled: 'Scheduled',
  scheduledEmpty: 'No scheduled messages',
  scheduledEmptyHint: 'Choose “Send later” while you write, and your message waits here.',
  scheduledFailed: "Couldn't send: {why}",
  notACommand: "Commands can't be sent later",
  cancelSend: 'Cancel sending',
  cancelled: "It won't be sent",
  editText: 'Message',
  editTitle: 'Edit scheduled message',
  sendNow: 'Send now',
  change: 'Edit',
});
