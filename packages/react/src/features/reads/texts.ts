import { defineTexts } from '../../i18n/catalogue.ts';

export const readTexts = defineTexts('reads', {
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  seenBy: 'Seen by {names}',
  seenCount: '{count} of {all}',
  seenCounted:
    'Many are in this conversation: marks are counts. The info of a message names who has read it.',
  markUnread: 'Mark as unread',
  messageInfo: 'Message info',
});
