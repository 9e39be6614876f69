import { defineTexts } from '../../i18n/catalogue.ts';

export const lateReadTexts = defineTexts('reads', {
  messageInfo: 'Message info',
  sent: 'Sent',
  readBy: 'Read by',
  deliveredTo: 'Delivered to',
  countOf: '{count} of {all}',
  nobody: 'Nobody yet',
  others: 'and {count} more',
  failed: "Couldn't load this",
  whyUnread: 'Unread summary',
  nothingUnread: "You're all caught up",
  unreadIn: '{count} unread in {name}',
  muted: "Muted, so it doesn't count.",
  threadIn: '{count} unread in a thread in {name}',
  followed: 'You wrote this or replied to it, so you follow its thread.',
  markedUnread: 'You marked it as unread.',
  since: 'Counted since you last read here on {when}.',
  fromStart: "You haven't read anything here yet.",
  deleted: 'A deleted message. It was new when it arrived, so it counts.',
  silent: "Sent silently, so it doesn't count",
  removed: {
    one: '{count} deleted for good. It counts until you read on.',
    other: '{count} deleted for good. They count until you read on.',
  },
});
