import type { LinkPreview } from '@parley/protocol';
import { isPublicUrl } from './addresses.ts';
import { type PageHead, readHead } from './page-head.ts';

const shorten = (text: string | undefined, maxLength: number): string | undefined => {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (!plain) return undefined;
  const characters = [...plain];
  // Joined also where nothing is cut: a slice would keep the whole page in memory for as long as the preview is cached.
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
};

/** An absolute URL on the open web: the browser of each reader of the message loads it. */
const webUrl = (text: string | undefined, base: URL): string | undefined => {
  if (!text || !URL.canParse(text.trim(), base.href)) return undefined;
  const url = new URL(text.trim(), base);
  const isAllowed = isPublicUrl(url) || url.origin === base.origin;
  return isAllowed && /^https?:$/.test(url.protocol) && url.href.length <= 2048 ? url.href : undefined;
};

const kindOf = (head: PageHead, video: string | undefined): LinkPreview['type'] => {
  const type = (head.get('og:type') ?? '').toLowerCase();
  if (video !== undefined || type.startsWith('video')) return 'video';
  if (type.startsWith('music') || head.has('og:audio')) return 'audio';
  if (/^(image|photo)/.test(type) || /photo/.test(head.get('twitter:card') ?? '')) return 'image';
  return 'article';
};

/** The preview of a page by the fields of its head; undefined for a page with neither title nor image. */
export const previewOf = async (html: string, asked: string, url: URL): Promise<LinkPreview | undefined> => {
  const head = await readHead(html);
  const first = (...names: string[]) => names.map((name) => head.get(name)?.trim()).find(Boolean);
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
    type: kindOf(head, video),
    og_scrape_url: asked,
    title_link: url.href.slice(0, 2048),
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    author_name: author,
    ...(image === undefined ? {} : { image_url: image, thumb_url: image }),
    ...(media === undefined ? {} : { asset_url: media }),
  };
};
