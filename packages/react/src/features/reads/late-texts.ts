import { defineTexts } from '../../i18n/catalogue.ts';

export const lateReadTexts = defineTexts('reads', {
  messageInfo: 'Message info',
  sent: 'Sent',
  readBy: 'Read by',
  deliveredTo: 'Delivered to',
  countOf: '{count} of {all}',
  nobody: 'Nobody yet',
  others: 'and {count} more',
  failed: 'This could not be loaded',
  whyUnread: 'What is unread, and why',
  nothingUnread: 'Nothing is unread',
  unreadIn: '{count} unread in {name}',
  muted: 'Muted: it counts in no total.',
  threadIn: '{count} unread in a thread in {name}',
  followed: 'You wrote this, or answered to it: you follow its thread.',
  markedUnread: 'You marked it unread yourself.',
  since: 'Counted from after what you read on {when}.',
  fromStart: 'You have read nothing here yet.',
  deleted: 'A deleted message; it was new when it came, so it counts',
  silent: 'Sent silently; it does not count',
  removed: '{count} removed for good; they still count until you read on',
});
