import type { LinkPreview } from '@parley/protocol';
import { isPublicUrl } from './addresses.ts';

/** What the head of a page says, by lower-case name; of several the first. */
type Said = Map<string, string>;

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
};

const signOf = (code: number): string =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';

const decodeEntities = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (name.startsWith('#x') || name.startsWith('#X')) return signOf(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return signOf(Number(name.slice(1)));
    return named[name.toLowerCase()] ?? whole;
  });

/** Where a tag ends: a `>` inside quotes does not end it. */
const tagEnd = (html: string, from: number): number => {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const sign = html[at] as string;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
  }
  return -1;
};

const attributes = (tag: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const match of tag.matchAll(/(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)) {
    const name = match[1]?.toLowerCase() ?? '';
    if (!found.has(name)) found.set(name, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ''));
  }
  return found;
};

const mostTags = 20_000;
const mostTagLength = 4000;
/** Of all `meta` tags together. Real pages have a few kilobytes of them; attributes are what costs most to read. */
const mostMetaLength = 128 * 1024;
/** Their content is no markup. */
const raw = new Set(['script', 'style', 'noscript', 'textarea', 'template', 'iframe', 'svg']);

const takeMeta = (said: Said, tag: string): void => {
  const given = attributes(tag);
  const name = (given.get('property') ?? given.get('name') ?? given.get('itemprop') ?? '').toLowerCase();
  const content = given.get('content');
  if (name !== '' && content !== undefined && !said.has(name)) said.set(name, content);
};

/** Where the content of a tag ends. One that is not closed is not looked for again: a page of open tags would take for ever. */
const createClosing = (lower: string) => {
  const unclosed = new Set<string>();
  return (name: string, from: number): number => {
    if (unclosed.has(name)) return -1;
    const at = lower.indexOf(`</${name}`, from);
    if (at < 0) unclosed.add(name);
    return at;
  };
};

/** The end of the tag that opens here; where its quotes do not close, the next `>` is taken for it. */
const endOfTag = (html: string, open: number): number => {
  const end = tagEnd(html.slice(open, open + mostTagLength), 1);
  return end < 0 ? html.indexOf('>', open) : open + end;
};

/** One pass from tag to tag: time grows with the length of the page and with nothing else. */
export const readHead = (html: string): Said => {
  const said: Said = new Map();
  const lower = html.toLowerCase();
  const closingOf = createClosing(lower);
  let at = 0;
  let metaLeft = mostMetaLength;
  for (let tags = 0; tags < mostTags; tags++) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      if (end < 0) break;
      at = end + 3;
      continue;
    }
    const name = /^[a-z][a-z0-9]*/.exec(lower.slice(open + 1, open + 20))?.[0];
    if (name === undefined) {
      at = open + 1;
      continue;
    }
    const end = endOfTag(html, open);
    if (end < 0) break;
    if (name === 'meta' && metaLeft > 0) {
      const tag = html.slice(open, Math.min(end + 1, open + mostTagLength));
      metaLeft -= tag.length;
      takeMeta(said, tag);
    }
    const closing = name === 'title' || raw.has(name) ? closingOf(name, end + 1) : -1;
    if (name === 'title' && closing >= 0 && !said.has('title'))
      said.set('title', decodeEntities(html.slice(end + 1, Math.min(closing, end + mostTagLength))));
    at = closing >= 0 ? closing + 2 : end + 1;
  }
  return said;
};

const shorten = (text: string | undefined, most: number): string | undefined => {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (!plain) return undefined;
  const signs = [...plain];
  return signs.length <= most ? plain : `${signs.slice(0, most - 1).join('')}…`;
};

/** Absolute, on the web and not inside anybody's network: whoever reads the message loads it. */
const webUrl = (text: string | undefined, base: URL): string | undefined => {
  if (!text || !URL.canParse(text.trim(), base.href)) return undefined;
  const url = new URL(text.trim(), base);
  const isFine = isPublicUrl(url) || url.origin === base.origin;
  return isFine && /^https?:$/.test(url.protocol) && url.href.length <= 2048 ? url.href : undefined;
};

const kindOf = (said: Said, video: string | undefined): LinkPreview['type'] => {
  const type = (said.get('og:type') ?? '').toLowerCase();
  if (video !== undefined || type.startsWith('video')) return 'video';
  if (type.startsWith('music') || said.has('og:audio')) return 'audio';
  if (/^(image|photo)/.test(type) || /photo/.test(said.get('twitter:card') ?? '')) return 'image';
  return 'article';
};

/** What a page says of itself; undefined when it says nothing worth a card. */
export const previewOf = (html: string, asked: string, url: URL): LinkPreview | undefined => {
  const said = readHead(html);
  const first = (...names: string[]) => names.map((name) => said.get(name)?.trim()).find(Boolean);
  const image = webUrl(
    first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
    url,
  );
  const video = first('og:video:secure_url', 'og:video', 'og:video:url');
  const media = first('og:video:type')?.startsWith('video/') ? webUrl(video, url) : undefined;
  const title = shorten(first('og:title', 'twitter:title', 'title'), 300);
  if (title === undefined && image === undefined) return undefined;
  const text = shorten(first('og:description', 'twitter:description', 'description'), 1000);
  const author = shorten(first('og:site_name', 'author'), 100) ?? url.hostname;
  return {
    type: kindOf(said, video),
    og_scrape_url: asked,
    title_link: url.href.slice(0, 2048),
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    author_name: author,
    ...(image === undefined ? {} : { image_url: image, thumb_url: image }),
    ...(media === undefined ? {} : { asset_url: media }),
  };
};
