import { limits } from '@parley/protocol/limits';

const link = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+/gi;
const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/** Punctuation after a link is not part of it; a closing bracket is, if the link opened it. */
const withoutTail = (text: string): string => {
  let url = text;
  for (;;) {
    const last = url.at(-1) ?? '';
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    const isOpened = opening !== undefined && url.split(opening).length >= url.split(last).length;
    if (!/[.,;:!?*_~)\]}…»]/.test(last) || isOpened) return url;
    url = url.slice(0, -1);
  }
};

/** The links in a text, in order, each once; none inside code. */
export const findLinks = (text: string, most: number = limits.previewsPerMessage): string[] => {
  const found = new Set<string>();
  for (const [match] of text.replace(code, ' ').matchAll(link)) {
    const bare = withoutTail(match);
    const url = /^www\./i.test(bare) ? `https://${bare}` : bare;
    if (URL.canParse(url) && new URL(url).hostname.includes('.')) found.add(url);
    if (found.size >= most) break;
  }
  return [...found];
};
