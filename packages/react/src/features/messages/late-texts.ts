import { defineTexts } from '../../i18n/catalogue.ts';

export const lateMessageTexts = defineTexts('messages', {
  showMore: 'Show more',
  onlyYou: 'Only visible to you',
  pin: 'Pin',
  unpin: 'Unpin',
  pinTitle: 'Pin for how long?',
  pinHour: '1 hour',
  pinDay: '24 hours',
  pinWeek: '7 days',
  pinMonth: '30 days',
  pinnedMessages: 'Pinned messages',
  noPins: 'No pinned messages yet',
  noPinsHint: 'Pin a message from its menu, and everyone can find it here.',
  editHistory: 'Edit history',
  versionNow: 'Now',
  versionBy: 'Edited by {name}',
  deleteTitle: 'Delete this message?',
  deleteHint: 'Deleted for everyone. A placeholder remains.',
  deleteHard: 'Also remove the placeholder',
  deleteHardHint: 'Nothing remains, and nobody can restore the message.',
});
