/** The entry `@parley/client/drafts`. */
import type { ReplyOf } from '@parley/protocol';
import { type DeviceStorage, storageOf } from '../../browser.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { QueryFor } from '../../http/query.ts';
import { derived, type Readable, type Unsubscribe } from '../../readable.ts';
import { persist, worldOf } from '../../retry.ts';
import { followMessages } from '../../sync/held-messages.ts';
import { type Book, createBook, keyOf } from './book.ts';
import { type DraftContent, emptyContent, isEmpty } from './content.ts';
import type { Entry } from './entry.ts';
import { createSaver, type Saver } from './saver.ts';

export type { DraftContent } from './content.ts';

export type DraftQuery = QueryFor<'POST /drafts/query'>;
export type DraftPage = ReplyOf<'POST /drafts/query'>;

export type DraftView = { cid: string; parentId: string | undefined; text: string; at: string };

export type DraftsOptions = {
  /** The pause in typing before a draft is saved, in milliseconds. Default 1000. */
  debounce?: number;
  /** Keeps unsaved drafts over a reload, in place of the storage of the environment. */
  storage?: DeviceStorage;
};

type MergeListener = (cid: string, parentId: string | undefined) => void;

export type Drafts = {
  /** The draft of a channel or thread, as it is now and whenever it changes. */
  of(cid: string, parentId?: string): Readable<DraftContent>;
  /** Takes what is typed: at once here, after a pause on the server. */
  set(cid: string, parentId: string | undefined, content: DraftContent): void;
  /** Empties a draft that is being sent as a message. A copy stays on this device until `stored` resolves, and if it rejects. */
  reset(cid: string, parentId: string | undefined, stored: Promise<unknown>): void;
  /** While a composition is under way nothing may change what stands in its field: what others write waits for the stop. */
  pause(cid: string, parentId?: string): Unsubscribe;
  /** Deletes a draft, here and on the server. */
  discard(cid: string, parentId?: string): void;
  /** Saves at once what the server does not have yet; resolves when each was tried. */
  saveAll(): Promise<void>;
  /** All that hold something, the last written first. */
  all: Readable<readonly DraftView[]>;
  /** The own drafts as the server has them, by filter and page by page; the last written first. */
  query(query?: DraftQuery): Promise<DraftPage>;
  /** Calls the listener when the text of another device was merged with the text typed here. */
  onMerge(listener: MergeListener): Unsubscribe;
};

const viewsOf = (entries: ReadonlyMap<string, Entry>): readonly DraftView[] =>
  [...entries.values()]
    .filter(({ content }) => !isEmpty(content))
    .map(({ cid, parentId, content, at }) => ({ cid, parentId, text: content.text, at }))
    .sort((a, b) => b.at.localeCompare(a.at));

/** Loads the drafts of each user who connects, takes those of other devices, and drops all at sign-out. */
const follow = (core: FeatureCore, book: Book, saver: Saver): void => {
  let turn = 0;
  /** Repeated until it succeeds: a draft of another device would stay unknown until the next reconnect. */
  const load = () => {
    turn += 1;
    const mine = turn;
    void persist(worldOf(core), saver.load, () => mine === turn).catch(() => undefined);
  };
  const begin = () => {
    const id = core.me.get()?.id;
    if (id === undefined || id === book.userId()) return;
    book.open(id);
    load();
  };
  core.me.subscribe(begin);
  // A page that is hidden may be closed without another word.
  const { visibility } = core.environment;
  visibility.subscribe(() => {
    if (visibility.isVisible()) return;
    for (const { cid, parentId } of book.entries.get().values()) void saver.save(cid, parentId);
  });
  followMessages(core.events.on, (change) => {
    for (const entry of book.entries.get().values()) {
      const { quote, ...content } = entry.content;
      const next = quote && change(quote);
      if (next !== quote) book.put({ ...entry, content: next ? { ...content, quote: next } : content });
    }
  });
  core.events.listen({
    'connection.recovered': load,
    'draft.updated': ({ draft }) => saver.take(draft),
    'draft.deleted': ({ draft }) => saver.drop(draft.cid, draft.parent_id, draft.version),
  });
  core.resets.push(() => {
    turn += 1;
    saver.reset();
    book.reset();
  });
  begin();
};

const createDrafts = (core: FeatureCore, { debounce = 1000, storage }: DraftsOptions): Drafts => {
  const { http, environment } = core;
  const { clock } = environment;
  const book = createBook(storageOf(storage ?? environment.storage));
  const { entries, find, put } = book;
  const mergeListeners = new Set<MergeListener>();
  const saver = createSaver({
    ...{ http, book, clock, debounce },
    onMerged: ({ cid, parentId }) => {
      for (const listener of mergeListeners) listener(cid, parentId);
    },
  });
  follow(core, book, saver);
  return {
    of: (cid, parentId) => derived(entries, (all) => all.get(keyOf(cid, parentId))?.content ?? emptyContent),
    set: (cid, parentId, content) => {
      const entry = find(cid, parentId);
      if (entry.content === content) return;
      put({ ...entry, content, isDirty: true, at: new Date(clock.now()).toISOString() });
      saver.schedule(entry);
    },
    reset: (cid, parentId, stored) => {
      const entry = find(cid, parentId);
      put({ ...entry, content: emptyContent, isDirty: false, sending: entry.content });
      const forget = () => {
        const now = find(cid, parentId);
        if (now.sending !== entry.content) return;
        put({ ...now, sending: undefined, isDirty: now.isDirty || isEmpty(now.content) });
        void saver.save(cid, parentId);
      };
      // The copy of refused text stays on this device: after a reload it is in the composer again.
      stored.then(forget, () => undefined);
    },
    pause: saver.pause,
    saveAll: async () => {
      await Promise.all([...entries.get().values()].map(({ cid, parentId }) => saver.save(cid, parentId)));
    },
    discard: (cid, parentId) => {
      put({ ...find(cid, parentId), content: emptyContent, isDirty: true, sending: undefined });
      void saver.save(cid, parentId);
    },
    all: derived(entries, viewsOf),
    query: (query = {}) => http.call('POST /drafts/query', { body: query }),
    onMerge: (listener) => {
      mergeListeners.add(listener);
      return () => {
        mergeListeners.delete(listener);
      };
    },
  };
};

/** Drafts with options of your own. Make it once: another value is another feature. */
export const draftsWith = (options: DraftsOptions): Feature<Drafts> => ({
  name: 'drafts',
  create: (core) => createDrafts(core, options),
});

/** The drafts of the own user, kept on this device and on the server, for all devices of the user. */
export const drafts: Feature<Drafts> = draftsWith({});
