import { defineTexts } from '../../i18n/catalogue.ts';

export const scheduledTexts = defineTexts('scheduledMessages', {
  sendLater: 'Send later',
  schedule: 'Schedule',
  scheduledFor: 'Will be sent: {when}',
  scheduled: 'Scheduled',
  scheduledEmpty: 'Nothing is scheduled',
  scheduledEmptyHint: 'Choose “Send later” beside the send button, and it waits here.',
  scheduledFailed: 'Could not be sent: {why}',
  notACommand: 'A command cannot be sent later',
  cancelSend: 'Cancel sending',
  cancelled: 'It will not be sent',
  editText: 'Message',
  editTitle: 'Change scheduled message',
  sendNow: 'Send now',
  change: 'Change',
});
