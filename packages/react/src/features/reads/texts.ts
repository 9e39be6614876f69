import { defineTexts } from '../../i18n/catalogue.ts';

export const readTexts = defineTexts('reads', {
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  seenBy: 'Seen by {names}',
  seenCount: '{count} of {all}',
  seenCounted: 'In a large conversation, marks are counts. Message info shows who has read it.',
  markUnread: 'Mark as unread',
  messageInfo: 'Message info',
});
