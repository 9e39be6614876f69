import { invalid, type LinkPreview, ParleyError } from '@parley/protocol';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLru } from '../../lib/lru.ts';
import { toError } from '../../lib/to-error.ts';
import { isPublicUrl } from './addresses.ts';
import { fetchPage } from './fetch-page.ts';
import { previewOf } from './preview.ts';

export type LinkPreviews = ReturnType<typeof createLinkPreviewService>;

type Known = { preview: LinkPreview | undefined; until: number };

const keptMs = 60 * 60_000;
/** A failure is cached too: without that, every keystroke in a composer would fetch a page that is down. */
const failedMs = 60_000;

const parse = (text: string, allowed: ReadonlySet<string>): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw invalid('url', 'must be a URL');
  url.hash = '';
  if (!isPublicUrl(url) && !allowed.has(url.host))
    throw invalid('url', 'must be an http or https URL of a site on the open web');
  return url;
};

/** Previews of pages. Concurrent calls for one URL share a fetch, and the result is cached. */
export const createLinkPreviewService = (kernel: Kernel) => {
  const allowed: ReadonlySet<string> = new Set(kernel.config.previewHosts);
  const known = createLru<Known>(2000);
  const asking = new Map<string, Promise<LinkPreview | undefined>>();

  const ask = async (url: URL): Promise<LinkPreview | undefined> => {
    try {
      const page = await fetchPage(url, { allowed });
      return await previewOf(page.html, url.href, page.url);
    } catch (error) {
      kernel.log.debug({ reason: toError(error).message, host: url.host }, 'no link preview');
      return undefined;
    }
  };

  const find = (url: URL): Promise<LinkPreview | undefined> => {
    const running = asking.get(url.href);
    if (running) return running;
    const asked = ask(url).then((preview) => {
      known.set(url.href, { preview, until: kernel.clock.now() + (preview ? keptMs : failedMs) });
      return preview;
    });
    asking.set(url.href, asked);
    return asked.finally(() => asking.delete(url.href));
  };

  return {
    async get(actor: Actor, text: string): Promise<LinkPreview> {
      if (actor.kind === 'anonymous') actingUser(actor);
      const url = parse(text, allowed);
      const before = known.get(url.href);
      const preview = before && before.until > kernel.clock.now() ? before.preview : await find(url);
      if (!preview) throw new ParleyError('NotFound', 'There is no preview of this page');
      return { ...preview, og_scrape_url: text };
    },
  };
};
