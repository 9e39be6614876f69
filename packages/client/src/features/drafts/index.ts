import type { BodyOf, ReplyOf } from '@parley/protocol';
import type { ParleyClient } from '../../client.ts';
import { type Clock, defaultEnvironment } from '../../environment.ts';
import type { QueryFor } from '../../http/query.ts';
import { derived, type Readable, type Unsubscribe } from '../../readable.ts';
import { persist } from '../../retry.ts';
import { createBook, keyOf } from './book.ts';
import { type DraftContent, emptyContent, isEmpty } from './content.ts';
import type { Entry } from './entry.ts';
import { createSaver } from './saver.ts';
import type { DraftStorage } from './storage.ts';

export type { DraftContent } from './content.ts';
export type { DraftStorage } from './storage.ts';

export type DraftQuery = QueryFor<'POST /drafts/query'>;
export type DraftPage = ReplyOf<'POST /drafts/query'>;

/** The own drafts as the server has them, by filter and page by page; the last written first. */
export const queryDrafts = ({ http }: ParleyClient, query: DraftQuery = {}): Promise<DraftPage> =>
  http.call('POST /drafts/query', { body: query as BodyOf<'POST /drafts/query'> });

export type DraftView = { cid: string; parentId: string | undefined; text: string; at: string };

export type DraftsOptions = {
  /** Keeps what is not saved yet over a reload; the browser's `localStorage`. */
  storage?: DraftStorage | undefined;
  clock?: Clock;
  /** How long typing pauses before it is saved, in milliseconds. */
  debounce?: number;
};

export type Drafts = {
  /** The draft of a channel or thread, as it is now and whenever it changes. */
  of(cid: string, parentId?: string): Readable<DraftContent>;
  /** Takes what is typed: at once here, after a pause on the server. */
  set(cid: string, parentId: string | undefined, content: DraftContent): void;
  /** What was written goes out as a message: it is forgotten when that was stored, and kept when it was refused. */
  sent(cid: string, parentId: string | undefined, stored: Promise<unknown>): void;
  /** While a composition is under way nothing may change what stands in its field: what others write waits for the stop. */
  pause(cid: string, parentId?: string): Unsubscribe;
  /** Deletes a draft, here and on the server. */
  discard(cid: string, parentId?: string): void;
  /** All that hold something, the last written first. */
  all: Readable<readonly DraftView[]>;
  /** Ends saving and listening. */
  stop: Unsubscribe;
};

type MergeListener = (cid: string, parentId: string | undefined) => void;

const viewsOf = (entries: ReadonlyMap<string, Entry>): readonly DraftView[] =>
  [...entries.values()]
    .filter(({ content }) => !isEmpty(content))
    .map(({ cid, parentId, content, at }) => ({ cid, parentId, text: content.text, at }))
    .sort((a, b) => b.at.localeCompare(a.at));

/**
 * Keeps drafts on this device and on the server, for all devices of the user. Listens until `stop`.
 * `onMerge` hears when what another device wrote was put together with what was typed here.
 */
export const createDrafts = (
  client: ParleyClient,
  options: DraftsOptions = {},
  onMerge: MergeListener = () => {},
): Drafts => {
  const { clock } = defaultEnvironment(options.clock ? { clock: options.clock } : {});
  const book = createBook(options.storage);
  const { entries, find, put } = book;
  const saver = createSaver({
    ...{ http: client.http, book, clock, debounce: options.debounce ?? 1000 },
    onMerged: ({ cid, parentId }) => onMerge(cid, parentId),
  });
  let turn = 0;
  /** By itself, until it succeeds: what another device wrote would stay unknown until the next reconnect. */
  const load = () => {
    turn += 1;
    const mine = turn;
    const world = { ...client.http.wire.environment, clock, on: client.on };
    void persist(world, saver.load, () => mine === turn).catch(() => undefined);
  };
  const meet = () => {
    const id = client.me.get()?.id;
    if (id === undefined || id === book.userId()) return;
    book.open(id);
    load();
  };
  const stops = [
    client.me.subscribe(meet),
    client.on('connection.recovered', load),
    client.on('draft.updated', ({ draft }) => saver.take(draft)),
    client.on('draft.deleted', ({ draft }) => saver.drop(draft.cid, draft.parent_id, draft.version)),
    saver.stop,
  ];
  meet();
  return {
    of: (cid, parentId) => derived(entries, (all) => all.get(keyOf(cid, parentId))?.content ?? emptyContent),
    set: (cid, parentId, content) => {
      const entry = find(cid, parentId);
      if (entry.content === content) return;
      put({ ...entry, content, isDirty: true, at: new Date(clock.now()).toISOString() });
      saver.schedule(entry);
    },
    sent: (cid, parentId, stored) => {
      const entry = find(cid, parentId);
      put({ ...entry, content: emptyContent, isDirty: false, sending: entry.content });
      const forget = () => {
        const now = find(cid, parentId);
        if (now.sending !== entry.content) return;
        put({ ...now, sending: undefined, isDirty: now.isDirty || isEmpty(now.content) });
        void saver.save(cid, parentId);
      };
      // Of what was refused the copy on this device stays: a reload brings it back to the composer.
      stored.then(forget, () => undefined);
    },
    pause: saver.pause,
    discard: (cid, parentId) => {
      put({ ...find(cid, parentId), content: emptyContent, isDirty: true, sending: undefined });
      void saver.save(cid, parentId);
    },
    all: derived(entries, viewsOf),
    stop: () => {
      turn += 1;
      for (const stop of stops) stop();
    },
  };
};
