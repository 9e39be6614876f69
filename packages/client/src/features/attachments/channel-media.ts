import type { Attachment, Message } from '@parley/protocol';
import type { Feature, ParleyClient } from '../../client.ts';
import { createHandles } from '../../handles.ts';
import { createBatch, createCell, type Readable } from '../../readable.ts';
import { createMissed } from '../../sync/missed.ts';

export type MediaKind = 'media' | 'files' | 'links';
/** One attachment with the message that carries it; a message found by a link in its words carries none. */
export type MediaItem = { key: string; message: Message; attachment: Attachment | undefined };
export type ChannelMediaState = {
  items: readonly MediaItem[];
  status: 'loading' | 'ready' | 'failed';
  hasMore: boolean;
};
export type ChannelMediaHandle = Readable<ChannelMediaState> & {
  /** The first page, or the next. */
  load(): Promise<void>;
  /** Ends loading and listening. */
  stop(): void;
};

type Client = Pick<ParleyClient, 'http' | 'on'>;

const types: Readonly<Record<Exclude<MediaKind, 'links'>, readonly string[]>> = {
  media: ['image', 'video'],
  files: ['file', 'audio', 'voiceRecording'],
};
const pageSize = 30;
const mostEmpty = 10;
const hasWebAddress = /https?:\/\//i;
const isPreview = ({ og_scrape_url }: Attachment): boolean => og_scrape_url !== undefined;

/** The items of a message that belong to a kind, each under a key of its own. */
export const mediaIn = (message: Message, kind: MediaKind): MediaItem[] => {
  if (message.type === 'deleted') return [];
  const { attachments, id, text } = message;
  const wanted = (attachment: Attachment): boolean =>
    kind === 'links'
      ? isPreview(attachment)
      : !isPreview(attachment) && types[kind].includes(attachment.type ?? '');
  const found = attachments.flatMap((attachment, index) =>
    wanted(attachment) ? [{ key: `${id}-${index}`, message, attachment }] : [],
  );
  const isBare = kind === 'links' && found.length === 0 && hasWebAddress.test(text);
  return isBare ? [{ key: id, message, attachment: undefined }] : found;
};

const isNewer = (a: MediaItem, b: MediaItem): boolean =>
  a.message.created_at > b.message.created_at ||
  (a.message.created_at === b.message.created_at && a.message.id > b.message.id);

/** The items of a message in the place of those it had; new ones stand where their time puts them. */
export const withMessage = (
  items: readonly MediaItem[],
  message: Message,
  kind: MediaKind,
): readonly MediaItem[] => {
  const others = items.filter((item) => item.message.id !== message.id);
  const own = mediaIn(message, kind);
  const [first] = own;
  if (!first) return others.length === items.length ? items : others;
  const at = others.findIndex((item) => isNewer(first, item));
  return at < 0 ? [...others, ...own] : [...others.slice(0, at), ...own, ...others.slice(at)];
};

const hasMessage = (items: readonly MediaItem[], { id }: Message): boolean =>
  items.some(({ message }) => message.id === id);

type Changes = { put: (message: Message) => void; drop: (isGone: (message: Message) => boolean) => void };

const follow = (client: Client, cid: string, { put, drop }: Changes): (() => void) => {
  const isHere = (event: { cid?: string | undefined }): boolean => event.cid === cid;
  const stops = [
    client.on('message.new', (event) => isHere(event) && put(event.message)),
    client.on('message.updated', (event) => isHere(event) && put(event.message)),
    client.on('message.undeleted', (event) => isHere(event) && put(event.message)),
    client.on('message.deleted', (event) => isHere(event) && drop(({ id }) => id === event.message.id)),
    client.on('channel.truncated', (event) => isHere(event) && drop(() => true)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

const nothing: ChannelMediaState = { items: [], status: 'loading', hasMore: false };

export const createChannelMedia = (client: Client, cid: string, kind: MediaKind): ChannelMediaHandle => {
  const cell = createCell(nothing, createBatch());
  const asking = new AbortController();
  const narrow = kind === 'links' ? { has_link: true } : { attachment_type: { $in: types[kind] } };
  let next: string | undefined;
  let running: Promise<void> | undefined;

  const missed = createMissed<readonly MediaItem[]>();
  const put = (message: Message): void => {
    missed.note((items) => (hasMessage(items, message) ? withMessage(items, message, kind) : items));
    const { items, ...state } = cell.get();
    const changed = withMessage(items, message, kind);
    // Messages older than those that are loaded come with their own page.
    const isBeyond = state.hasMore && changed.at(-1)?.message.id === message.id;
    if (changed !== items && !isBeyond) cell.set({ ...state, items: changed });
  };
  const drop = (isGone: (message: Message) => boolean): void => {
    const left = (items: readonly MediaItem[]) => items.filter(({ message }) => !isGone(message));
    missed.note(left);
    cell.set({ ...cell.get(), items: left(cell.get().items) });
  };

  const page = async (): Promise<readonly MediaItem[]> => {
    const body = {
      filter: { cid, ...narrow },
      sort: [{ field: 'created_at', direction: -1 as const }],
      limit: pageSize,
      ...(next === undefined ? {} : { next }),
    };
    const { reply, catchUp } = await missed.during(() =>
      client.http.call('POST /search', { body, signal: asking.signal }),
    );
    next = reply.next;
    const found = reply.results.map(({ message }) => message);
    return catchUp(found.reduce((items, message) => withMessage(items, message, kind), cell.get().items));
  };

  const ask = async (): Promise<void> => {
    if (cell.get().status !== 'ready') cell.set({ ...cell.get(), status: 'loading' });
    try {
      const before = cell.get().items.length;
      let items = await page();
      // A page may hold nothing of this kind, for instance only pictures of link previews.
      for (let more = 0; more < mostEmpty && next !== undefined && items.length === before; more += 1)
        items = await page();
      cell.set({ items, status: 'ready', hasMore: next !== undefined });
    } catch {
      if (!asking.signal.aborted) cell.set({ ...cell.get(), status: 'failed' });
    }
  };

  const stopFollowing = follow(client, cid, { put, drop });

  return {
    get: cell.get,
    subscribe: cell.subscribe,
    load() {
      running ??= ask().finally(() => {
        running = undefined;
      });
      return running;
    },
    stop() {
      asking.abort();
      stopFollowing();
      cell.set(nothing);
    },
  };
};

export type ChannelMedia = {
  /** The pictures, files or links of a channel, newest first, a page at a time; follows the channel until its `stop`. */
  create(cid: string, kind: MediaKind): ChannelMediaHandle;
};

/** The attachments of channels. */
export const channelMedia: Feature<ChannelMedia> = {
  name: 'channel-media',
  create: (core) => ({
    create: createHandles(core, (cid: string, kind: MediaKind) => createChannelMedia(core.client, cid, kind)),
  }),
};
