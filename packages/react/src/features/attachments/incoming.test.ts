import { expect, test } from 'vitest';
import { droppedFiles, pastedFiles } from './incoming.ts';

const file = new File(['x'], 'a.png', { type: 'image/png' });

test.each([
  ['a picture of the screen', ['Files'], 1],
  ['a picture of a page', ['text/html', 'Files'], 1],
  ['a file of the file manager with its name', ['text/plain', 'Files'], 1],
  ['text of an office program with a picture of itself', ['text/plain', 'text/html', 'Files'], 0],
])('A1 pasted: %s', (...[, types, count]) => {
  expect(pastedFiles({ types, files: [file] })).toHaveLength(count);
});

test('A1 the files of a drop are taken, a folder is only reported', () => {
  const folder = new File([], 'folder');
  const entry = (given: File, isDirectory: boolean) => ({
    ...{ kind: 'file', getAsFile: () => given },
    webkitGetAsEntry: () => ({ isDirectory }),
  });
  const words = { kind: 'string', getAsFile: () => null };

  const { files, hasFolder } = droppedFiles([entry(file, false), entry(folder, true), words]);

  expect([files, hasFolder]).toEqual([[file], true]);
});
