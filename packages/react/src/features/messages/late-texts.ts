import { defineTexts } from '../../i18n/catalogue.ts';

export const lateMessageTexts = defineTexts('messages', {
  pin: 'Pin',
  unpin: 'Unpin',
  pinTitle: 'Pin for how long?',
  pinHour: '1 hour',
  pinDay: '24 hours',
  pinWeek: '7 days',
  pinMonth: '30 days',
  pinnedMessages: 'Pinned messages',
  noPins: 'Nothing is pinned here',
  noPinsHint: 'Pin a message from its menu, and everyone finds it here.',
  editHistory: 'Edit history',
  versionNow: 'Now',
  versionBy: 'Changed by {name}',
  deleteTitle: 'Delete this message?',
  deleteHint: 'Its text goes for everyone. A note that there was a message stays.',
  deleteHard: 'Leave no trace',
  deleteHardHint: 'The note goes as well, and nobody can bring it back.',
});
