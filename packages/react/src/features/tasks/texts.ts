import { defineTexts } from '../../i18n/catalogue.ts';

export const taskTexts = defineTexts('tasks', {
  title: 'Delete conversations',
  hint: 'You can delete these conversations.',
  nothing: 'Nothing to delete',
  nothingHint: 'Only its owner or an admin can delete a conversation.',
  choose: 'Select conversations',
  all: 'Select all',
  none: 'Select none',
  chosen: '{count} selected',
  delete: 'Delete {count}',
  confirmTitle: { one: 'Delete this conversation?', other: 'Delete {count} conversations?' },
  confirmHint: "They're deleted for everyone, with all their messages. You can't undo this.",
  confirm: 'Delete',
  members: { one: '{count} member', other: '{count} members' },
  working: 'Deleting {done} of {all}',
  workingHint: 'You can carry on: this continues in the background.',
  deleted: { one: '{count} conversation deleted', other: '{count} conversations deleted' },
  alreadyGone: { one: '{count} was already deleted', other: '{count} were already deleted' },
  failed: "Couldn't delete all of them",
  more: 'Show more',
  again: 'Back to the list',
});
