export type Span = { text: string; start: number; end: number };

const marks: Readonly<Record<string, string>> = { b: '**', i: '_', e: '`' };

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The Markdown sign of a shortcut. Where the keyboard writes another script, the place of the key counts. */
export const markOf = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Press) => {
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

/** An address pasted over words makes them a link; anything else is pasted as it is. */
export const linked = ({ text, start, end }: Span, pasted: string): Span | undefined => {
  const words = text.slice(start, end);
  const address = pasted.trim();
  if (words.trim() === '' || /[\n\]]/.test(words) || !/^https?:\/\/[^\s()<>]+$/i.test(address))
    return undefined;
  if (/^https?:\/\//i.test(words)) return undefined;
  const link = `[${words}](${address})`;
  return {
    text: text.slice(0, start) + link + text.slice(end),
    start: start + link.length,
    end: start + link.length,
  };
};
