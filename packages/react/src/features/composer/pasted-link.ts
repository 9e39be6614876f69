import type { Span } from './composer-format.ts';

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
