/** The words of a thread's name. They come with it, after the first screen. */
export const threadsEnglish = {
  rename: 'Rename thread',
  renameTitle: 'Name of this thread',
  renameHint: 'Everyone sees it. Leave it empty to show the first message instead.',
  renameRefused: 'The name was not saved',
};
export type ThreadsTexts = typeof threadsEnglish;
