/** The phrases of the screen that deletes conversations; `texts` replaces some. */
export const deletingEnglish = {
  title: 'Delete conversations',
  hint: 'Here are the conversations that you may delete.',
  nothing: 'Nothing to delete',
  nothingHint: 'Only who made a conversation or looks after it can delete it.',
  choose: 'Choose conversations',
  all: 'Choose all',
  none: 'Choose none',
  chosen: '{n} chosen',
  delete: 'Delete {n}',
  confirmOne: 'Delete this conversation?',
  confirmMany: 'Delete {n} conversations?',
  confirmHint: 'They go for everyone who is in them, with all that was said.',
  confirm: 'Delete',
  members: '{n} members',
  working: 'Deleting {done} of {all}',
  workingHint: 'You can go on with something else: it is done without you.',
  doneOne: '1 conversation deleted',
  doneMany: '{n} conversations deleted',
  alreadyGone: '{n} were gone already',
  failed: 'Not all could be deleted',
  more: 'Show more',
  again: 'Back to the list',
} as const;

export type DeletingTexts = { [K in keyof typeof deletingEnglish]: string };

export const fill = (phrase: string, values: Record<string, number>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
