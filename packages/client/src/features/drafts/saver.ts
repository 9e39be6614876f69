import type { Draft } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { fromCid } from '../../cid.ts';
import { after, type Clock } from '../../environment.ts';
import type { Http } from '../../http/http.ts';
import { type Book, keyOf } from './book.ts';
import { fileNames, isEmpty } from './content.ts';
import { dropDraft, type Entry, takeDraft } from './entry.ts';
import { createPauses } from './pauses.ts';

const retryAfter = 5000;

const bodyOf = ({ content, parentId, version }: Entry) => ({
  message: {
    ...content.rest,
    text: content.text,
    ...(content.quote && { quoted_message_id: content.quote.id }),
  },
  ...(parentId !== undefined && { parent_id: parentId }),
  version,
});

/** Stores one draft, or forgets it where it is empty. Gives back what another device wrote instead. */
const store = async (http: Http, { find, put }: Book, entry: Entry): Promise<Draft | undefined> => {
  const { cid, parentId, content } = entry;
  const path = fromCid(cid);
  if (!isEmpty(content)) {
    const body = bodyOf(entry);
    // A character takes up to four bytes.
    const keepalive = JSON.stringify(body).length < 15_000;
    const reply = await http.call('POST /channels/{type}/{id}/draft', { path, body, keepalive });
    if (reply.conflict) return reply.draft;
    const now = find(cid, parentId);
    const { version, updated_at: at } = reply.draft;
    const base = { base: content.text, baseFiles: fileNames(content) };
    put({ ...now, version, at, ...base, tried: [], isDirty: now.content !== content && !now.sending });
    return undefined;
  }
  const query = {
    ...(parentId !== undefined && { parent_id: parentId }),
    version: String(entry.version),
  };
  const mayBeThere = entry.version > 0 || (entry.tried?.length ?? 0) > 0;
  const reply = mayBeThere
    ? await http.call('DELETE /channels/{type}/{id}/draft', { path, query, keepalive: true })
    : {};
  const now = find(cid, parentId);
  const tried = reply.draft ? (now.tried ?? []) : [];
  put({ ...now, version: 0, base: '', baseFiles: [], tried, isDirty: now.content !== content });
  return reply.draft;
};

const listDrafts = async (http: Http): Promise<Draft[]> => {
  const found: Draft[] = [];
  let next: string | undefined;
  do {
    const page = await http.call('POST /drafts/query', { body: { limit: 100, ...(next && { next }) } });
    found.push(...page.drafts);
    next = page.next;
  } while (next !== undefined);
  return found;
};

/** Of the drafts known before, those the server no longer has. Drafts that events named since are newer than its answer. */
const missingFrom = (
  found: readonly Draft[],
  before: ReadonlyMap<string, Entry>,
  { find }: Book,
): Entry[] => {
  const there = new Set(found.map((draft) => keyOf(draft.cid, draft.parent_id)));
  return [...before.entries()]
    .filter(([key, { cid, parentId, version }]) => !there.has(key) && find(cid, parentId).version === version)
    .map(([, entry]) => entry);
};

/** One timer for each key: a new one takes the place of the last. */
const createTimers = (clock: Clock) => {
  const timers = new Map<string, () => void>();
  return {
    set: (key: string, ms: number, act: () => void): void => {
      timers.get(key)?.();
      timers.set(key, after(clock, ms, act));
    },
    reset: (): void => {
      for (const stop of timers.values()) stop();
      timers.clear();
    },
  };
};

/** The last version of each draft that is gone: a page from before must not restore it. */
const createGone = () => {
  const versions = new Map<string, number>();
  const versionOf = (key: string): number => versions.get(key) ?? 0;
  return {
    versionOf,
    add: (key: string, version: number): void => {
      versions.set(key, Math.max(version, versionOf(key)));
    },
    clear: (): void => versions.clear(),
  };
};

const createPause =
  ({ find }: Book, pauses: ReturnType<typeof createPauses>, schedule: (entry: Entry) => void) =>
  (cid: string, parentId?: string) =>
    pauses.begin(keyOf(cid, parentId), () => {
      if (find(cid, parentId).isDirty) schedule(find(cid, parentId));
    });

type Deps = { http: Http; book: Book; clock: Clock; debounce: number; onMerged: (entry: Entry) => void };

/** Saves drafts on the server, one call at a time for each, and takes those of other devices. */
export const createSaver = ({ http, book, clock, debounce, onMerged }: Deps) => {
  const { entries, find, put } = book;
  const timers = createTimers(clock);
  /** The draft that is being saved under each key. */
  const busy = new Map<string, Entry>();
  /** The drafts of events that came while a call for the same draft was under way. */
  const arrived = new Map<string, Draft>();
  const gone = createGone();
  const pauses = createPauses();

  const schedule = ({ cid, parentId }: Pick<Entry, 'cid' | 'parentId'>, ms = debounce): void => {
    timers.set(keyOf(cid, parentId), ms, () => void save(cid, parentId));
  };
  const take = (draft: Draft): void => {
    const [before, key] = [find(draft.cid, draft.parent_id), keyOf(draft.cid, draft.parent_id)];
    if (draft.version <= Math.max(before.version, gone.versionOf(key))) return;
    if (pauses.postpone(key, () => take(draft))) return;
    if (busy.has(key)) return void arrived.set(key, draft);
    const { entry, isMerged } = takeDraft(before, draft);
    put(entry);
    if (entry.isDirty) schedule(entry, 0);
    if (isMerged) onMerged(entry);
  };
  const drop = (cid: string, parentId: string | undefined, version: number): void => {
    const entry = find(cid, parentId);
    if (pauses.postpone(keyOf(cid, parentId), () => drop(cid, parentId, version))) return;
    if (version < entry.version) return;
    gone.add(keyOf(cid, parentId), version);
    if (entry.version > 0) put(dropDraft(entry));
  };
  const save = async (cid: string, parentId: string | undefined): Promise<void> => {
    const key = keyOf(cid, parentId);
    const entry = find(cid, parentId);
    if (pauses.has(key) || book.userId() === undefined || busy.has(key) || !entry.isDirty) return;
    // A draft that is being sent as a message stays on the server until the message is stored.
    if (entry.sending && isEmpty(entry.content)) return;
    busy.set(key, entry);
    if (!isEmpty(entry.content)) put({ ...entry, tried: [...(entry.tried ?? []), entry.content].slice(-5) });
    const result = await store(http, book, entry).catch((error: Error) => error);
    // Its user has signed out.
    if (busy.get(key) !== entry) return;
    busy.delete(key);
    const later = result instanceof Error ? arrived.get(key) : (result ?? arrived.get(key));
    arrived.delete(key);
    if (later) take(later);
    else if (find(cid, parentId).version < entry.version) gone.add(key, entry.version);
    const now = find(cid, parentId);
    const isSame = now.content === entry.content;
    // A refusal stands until something else is typed; without a network it is tried again.
    if (now.isDirty && !(isSame && result instanceof ParleyError && !result.retryable))
      schedule(now, isSame && result instanceof Error ? retryAfter : debounce);
  };
  /** Asks for all drafts of the user: some may have come or gone unarrived. */
  const load = async (): Promise<void> => {
    const own = book.userId();
    const before = entries.get();
    const found = await listDrafts(http);
    if (own !== book.userId()) return;
    for (const { cid, parentId, version } of missingFrom(found, before, book)) drop(cid, parentId, version);
    found.forEach(take);
    for (const entry of entries.get().values()) if (entry.isDirty) schedule(entry, 0);
  };
  const reset = (): void => {
    timers.reset();
    for (const each of [busy, arrived, gone, pauses]) each.clear();
  };
  const pause = createPause(book, pauses, schedule);
  return { schedule, take, drop, save, pause, load, reset };
};
export type Saver = ReturnType<typeof createSaver>;
