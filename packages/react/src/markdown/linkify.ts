export type TextPart = { kind: 'text'; value: string } | { kind: 'link'; value: string; href: string };

const CANDIDATE = /\bhttps?:\/\/[^\s<>"“”«»]+/giu;
const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Cuts a text into plain runs and web addresses. Only http and https ever become links. */
export function linkify(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const value = trimTail(match[0]);
    const href = webAddress(value);
    if (href === undefined) continue;
    if (match.index > done) parts.push({ kind: 'text', value: text.slice(done, match.index) });
    parts.push({ kind: 'link', value, href });
    done = match.index + value.length;
  }
  if (done < text.length) parts.push({ kind: 'text', value: text.slice(done) });
  return parts;
}

/** Punctuation after an address belongs to the sentence, and so does a bracket opened before it. */
function trimTail(candidate: string): string {
  const counts: Record<string, number> = {};
  for (const char of candidate) counts[char] = (counts[char] ?? 0) + 1;
  for (let end = candidate.length; end > 0; end -= 1) {
    const last = candidate.charAt(end - 1);
    const opener = CLOSERS[last];
    const unbalanced = opener !== undefined && (counts[last] ?? 0) > (counts[opener] ?? 0);
    if (!unbalanced && !/[.,!?;:'’…*_]/u.test(last)) return candidate.slice(0, end);
    counts[last] = (counts[last] ?? 1) - 1;
  }
  return '';
}

function webAddress(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    return undefined;
  return url.href;
}

const ONLY_EMOJI = /^\p{RGI_Emoji}+$/v;

/** One to three emojis and nothing else: drawn large. */
export function isJumbo(text: string): boolean {
  // The list of all emojis takes milliseconds to compile: most text needs none of it.
  if (/\p{L}/u.test(text)) return false;
  const bare = text.replace(/\s/gu, '');
  if (bare === '' || bare.length > 64 || !ONLY_EMOJI.test(bare)) return false;
  return Array.from(new Intl.Segmenter().segment(bare)).length <= 3;
}
