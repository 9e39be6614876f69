/** Words of the dialogs below; they come with them. */
export const receiptsEnglish = {
  messageInfo: 'Message info',
  sent: 'Sent',
  read: 'Read by',
  delivered: 'Delivered to',
  countOf: '{n} of {all}',
  nobody: 'Nobody yet',
  others: 'and {n} more',
  failed: 'This could not be loaded',
  whyUnread: 'What is unread, and why',
  nothingUnread: 'Nothing is unread',
  unreadIn: '{n} unread in {name}',
  muted: 'Muted: it counts in no total.',
  threadIn: '{n} unread in a thread in {name}',
  followed: 'You wrote this, or answered to it: you follow its thread.',
  markedUnread: 'You marked it unread yourself.',
  since: 'Counted from after what you read on {when}.',
  fromStart: 'You have read nothing here yet.',
  deleted: 'A deleted message; it was new when it came, so it counts',
  silent: 'Sent silently; it does not count',
  removed: '{n} removed for good; they still count until you read on',
};
export type ReceiptsTexts = typeof receiptsEnglish;

export const fill = (phrase: string, values: Record<string, string | number>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
