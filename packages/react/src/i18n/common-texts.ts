import { defineTexts } from './catalogue.ts';

/** Texts that every feature may use: `useTexts` finds them behind those of each catalogue. */
export const commonTexts = defineTexts('common', {
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  create: 'Create',
  delete: 'Delete',
  dismiss: 'Dismiss',
  loading: 'Loading',
  retry: 'Try again',
  partMissing: "Couldn't load this part of the app.",
  partFailed: "This part can't be shown.",
  save: 'Save',
  search: 'Search',
  today: 'Today',
  yesterday: 'Yesterday',
  you: 'You',
  online: 'Online',
  offline: 'Offline',
  conversations: 'Conversations',
  conversation: 'Conversation',
  couldNotLoad: "Couldn't load this",
  messageDeleted: 'This message was deleted',
  copied: 'Copied',
  showMore: 'Show more',
  thread: 'Thread',
});
