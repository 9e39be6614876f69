import { defineTexts } from '../../i18n/catalogue.ts';

export const taskTexts = defineTexts('tasks', {
  title: 'Delete conversations',
  hint: 'Here are the conversations that you may delete.',
  nothing: 'Nothing to delete',
  nothingHint: 'Only who made a conversation or looks after it can delete it.',
  choose: 'Choose conversations',
  all: 'Choose all',
  none: 'Choose none',
  chosen: '{count} chosen',
  delete: 'Delete {count}',
  confirmTitle: { one: 'Delete this conversation?', other: 'Delete {count} conversations?' },
  confirmHint: 'They go for everyone who is in them, with all that was said.',
  confirm: 'Delete',
  members: '{count} members',
  working: 'Deleting {done} of {all}',
  workingHint: 'You can go on with something else: it is done without you.',
  deleted: { one: '{count} conversation deleted', other: '{count} conversations deleted' },
  alreadyGone: '{count} were gone already',
  failed: 'Not all could be deleted',
  more: 'Show more',
  again: 'Back to the list',
});
