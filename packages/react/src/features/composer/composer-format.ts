import { flushSync } from 'react-dom';

export type Span = { text: string; start: number; end: number };

const marks: Readonly<Record<string, string>> = { b: '**', i: '_', e: '`' };

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & { code?: string };

/** The Markdown sign of a shortcut. Where the keyboard writes another script, the place of the key counts. */
export const markOf = ({ key, code = '', ctrlKey, metaKey, altKey, shiftKey }: Press) => {
  if ((!ctrlKey && !metaKey) || altKey || shiftKey) return undefined;
  const letter = key > '\u007f' ? code.replace('Key', '') : key;
  return marks[letter.toLowerCase()];
};

/** Puts a sign around the selection, or takes it away where it is already. */
export const wrap = ({ text, start, end }: Span, mark: string): Span => {
  const { length } = mark;
  const isWrapped = text.slice(start - length, start) === mark && text.slice(end, end + length) === mark;
  if (isWrapped && start >= length) {
    const bare = text.slice(0, start - length) + text.slice(start, end) + text.slice(end + length);
    return { text: bare, start: start - length, end: end - length };
  }
  const marked = text.slice(0, start) + mark + text.slice(start, end) + mark + text.slice(end);
  return { text: marked, start: start + length, end: end + length };
};

export const spanOf = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Span => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
});

/** Writes a text with its selection. The field must hold the text before the caret is set: drawing it later would move the caret. */
export const putSpan = (
  area: HTMLTextAreaElement | null,
  { text, start, end }: Span,
  onChange: (text: string) => void,
): void => {
  flushSync(() => onChange(text));
  area?.setSelectionRange(start, end);
};
