/** The words of files on their way into a message. They come with the tray, after the first screen. */
export const uploadsEnglish = {
  attachments: 'Attachments',
  failed: 'Error uploading attachment',
  blocked: 'The attachment upload was blocked',
  wait: 'Wait until all attachments have uploaded',
  tooLarge: 'At most {most} a file',
  tooMany: 'At most {most} files a message',
  named: '{name}: {reason}',
  notAdded: 'Not added: {names}. {reason}.',
  folder: 'A folder cannot be attached, only the files in it',
  notAllowed: 'Files cannot be added here',
  waiting: 'Waiting',
  percent: '{percent} of {size}',
  progress: 'Uploading {name}',
  uploaded: '{name} has uploaded',
  cancel: 'Cancel upload of {name}',
  remove: 'Remove {name}',
  retry: 'Try {name} again',
  move: 'Move {name}',
  moved: '{name} is now {n} of {all}',
  describe: 'Describe {name}',
  describeTitle: 'Description',
  describeHint: 'For people who cannot see the picture. What is on it?',
  drop: 'Drop files here',
  dropHint: 'They are added to your message in {name}',
  dropThreadHint: 'They are added to your reply',
};
export type UploadsTexts = typeof uploadsEnglish;

export const fill = (phrase: string, values: Readonly<Record<string, string | number>>): string =>
  phrase.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
