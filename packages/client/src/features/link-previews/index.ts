/** The entry `@parley/client/link-previews`: previews of the links in a message that is being written. */
import type { Attachment, LinkPreview } from '@parley/protocol';
import { limits, times } from '@parley/protocol/limits';
import type { Feature, ParleyClient } from '../../client.ts';
import { after } from '../../environment.ts';
import { createHandles } from '../../handles.ts';
import { createBatch, createCell, type Readable } from '../../readable.ts';
import { findLinks } from './links.ts';

export { findLinks } from './links.ts';

export type LinkPreviewState = 'pending' | 'loading' | 'loaded' | 'dismissed' | 'failed';
export type LinkPreviewItem = { url: string; state: LinkPreviewState; preview: LinkPreview | undefined };
export type LinkPreviewsState = { items: readonly LinkPreviewItem[] };

export type LinkPreviewsOptions = {
  /** How many links of a message get a preview. Default 3. */
  most?: number;
  /** The pause after the last key, in milliseconds. Default 1500. */
  pauseMs?: number;
  /** Loads a preview; the default asks the server. */
  load?: (url: string, signal: AbortSignal) => Promise<LinkPreview>;
};

export type LinkPreviewsHandle = Readable<LinkPreviewsState> & {
  /** Starts from a message that is edited: what it carries is not asked for again, and of a link that it shows
   * without a card its author wanted none. */
  start(message: { text: string; attachments: readonly Attachment[] }): void;
  /** Takes the text of the composer. Links are looked up when the typing has paused. */
  type(text: string): void;
  /** Dismisses the preview for this message, however often the link is typed again. */
  dismiss(url: string): void;
  /** The attachments that the links add to the message. */
  attachments(): Attachment[];
  /** Empties it for the next message. */
  reset(): void;
  /** Empties it for good. */
  stop(): void;
};

export type LinkPreviews = {
  /** The links of one message that is being written, with their previews. Call its `stop` when the message is given up. */
  create(options?: LinkPreviewsOptions): LinkPreviewsHandle;
};

type Ask = NonNullable<LinkPreviewsOptions['load']>;
type Client = Pick<ParleyClient, 'http'>;

const askServer =
  ({ http }: Client): Ask =>
  (url, signal) =>
    http.call('GET /og', { query: { url }, signal });

const previewsIn = ({ items }: LinkPreviewsState): Attachment[] =>
  items.flatMap(({ preview }) => (preview ? [{ ...preview }] : []));

/** Most keys change no link: no listener is called for them. */
const isSameList = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, index) => one === others[index]);

/** The links of a message's text, with what came along for them. */
const itemsOf = (text: string, attachments: readonly Attachment[]): LinkPreviewItem[] =>
  findLinks(text, Number.POSITIVE_INFINITY).map((url) => {
    const preview = attachments.find((one): one is Attachment & LinkPreview => one.og_scrape_url === url);
    return { url, state: preview ? 'loaded' : 'dismissed', preview };
  });

/** The lookups under way, each link once. */
const createLookups = (ask: Ask, put: (item: LinkPreviewItem) => void) => {
  const loading = new Map<string, AbortController>();
  return {
    running: (): string[] => [...loading.keys()],
    start(url: string): void {
      const control = new AbortController();
      loading.set(url, control);
      put({ url, state: 'loading', preview: undefined });
      const settle = (item: LinkPreviewItem) => {
        if (loading.get(url) !== control) return;
        loading.delete(url);
        put(item);
      };
      ask(url, control.signal).then(
        (preview) => settle({ url, state: 'loaded', preview }),
        () => settle({ url, state: 'failed', preview: undefined }),
      );
    },
    /** Whether it was on its way. */
    halt(url: string): boolean {
      loading.get(url)?.abort();
      return loading.delete(url);
    },
  };
};

const createLinkPreviews = (
  client: Client,
  { most = limits.previewsPerMessage, pauseMs = times.linkPreviewDebounce, load }: LinkPreviewsOptions = {},
): LinkPreviewsHandle => {
  const { clock } = client.http.wire.environment;
  const cell = createCell<LinkPreviewsState>({ items: [] }, createBatch());
  /** Everything seen while this message is written: a link that comes back is not asked for again. */
  const seen = new Map<string, LinkPreviewItem>();
  let stopTimer = () => {};
  let shown: string[] = [];

  const show = (): void => {
    const items = shown.flatMap((url) => seen.get(url) ?? []);
    if (!isSameList(items, cell.get().items)) cell.set({ items });
  };
  const put = (item: LinkPreviewItem): void => {
    seen.set(item.url, item);
    show();
  };

  const lookups = createLookups(load ?? askServer(client), put);
  /** A link that was typed over is asked for no longer; if it comes back it starts anew. */
  const halt = (url: string): void => {
    if (lookups.halt(url)) seen.delete(url);
  };

  const reset = (): void => {
    stopTimer();
    for (const url of lookups.running()) halt(url);
    seen.clear();
    shown = [];
    show();
  };

  const type = (text: string): void => {
    stopTimer();
    shown = findLinks(text, most);
    for (const url of lookups.running()) if (!shown.includes(url)) halt(url);
    for (const [url, { state }] of seen) if (state === 'pending' && !shown.includes(url)) seen.delete(url);
    for (const url of shown) if (!seen.has(url)) seen.set(url, { url, state: 'pending', preview: undefined });
    show();
    const waits = () => shown.filter((url) => seen.get(url)?.state === 'pending');
    if (waits().length > 0) stopTimer = after(clock, pauseMs, () => waits().forEach(lookups.start));
  };

  return {
    get: cell.get,
    subscribe: cell.subscribe,
    type,
    start({ text, attachments }) {
      reset();
      for (const item of itemsOf(text, attachments)) seen.set(item.url, item);
      type(text);
    },
    dismiss(url) {
      halt(url);
      put({ url, state: 'dismissed', preview: undefined });
    },
    attachments: () => previewsIn(cell.get()),
    reset,
    stop: reset,
  };
};

/** Previews of links, for any number of messages at a time. */
export const linkPreviews: Feature<LinkPreviews> = {
  name: 'link-previews',
  create: (core) => ({
    create: createHandles(core, (options?: LinkPreviewsOptions) => createLinkPreviews(core.client, options)),
  }),
};
