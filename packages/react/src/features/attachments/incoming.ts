type Paste = { types: readonly string[]; files: Iterable<File> };

/** The files of a paste. Office programs add a picture of the copied text: only the text is wanted. */
export const pastedFiles = ({ types, files }: Paste): File[] =>
  types.includes('text/plain') && types.includes('text/html') ? [] : [...files];

type Item = { kind: string; getAsFile(): File | null; webkitGetAsEntry?(): { isDirectory: boolean } | null };

/** The files of a drop, and whether a folder was among them. */
export const droppedFiles = (items: Iterable<Item>): { files: File[]; hasFolder: boolean } => {
  const files: File[] = [];
  let hasFolder = false;
  for (const item of items) {
    if (item.kind !== 'file') continue;
    const isFolder = item.webkitGetAsEntry?.()?.isDirectory === true;
    const file = isFolder ? null : item.getAsFile();
    if (file) files.push(file);
    hasFolder ||= isFolder;
  }
  return { files, hasFolder };
};
