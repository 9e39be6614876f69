import type { DeviceStorage } from '../../browser.ts';
import { createBatch, createCell } from '../../readable.ts';
import { isEmpty } from './content.ts';
import { createEntry, type Entry } from './entry.ts';
import { mergeTexts } from './merge.ts';
import { createKeep } from './storage.ts';

export const keyOf = (cid: string, parentId: string | undefined): string => `${cid} ${parentId ?? ''}`;

/** The drafts of one user on this device, with a copy of what the server does not have yet. */
export const createBook = (storage: DeviceStorage | undefined) => {
  const keep = createKeep(storage);
  const entries = createCell<ReadonlyMap<string, Entry>>(new Map(), createBatch());
  let userId: string | undefined;

  const put = (entry: Entry): void => {
    const key = keyOf(entry.cid, entry.parentId);
    entries.set(new Map(entries.get()).set(key, entry));
    if (userId === undefined) return;
    const { base, baseFiles = [], tried = [], version, at } = entry;
    const typed = entry.isDirty && !isEmpty(entry.content) ? entry.content : entry.sending;
    // An emptied draft is stored, too: after a reload the version of the server would come back, with files that are gone.
    const isEmptied = entry.isDirty && (version > 0 || tried.length > 0);
    const content = typed ?? (isEmptied ? entry.content : undefined);
    if (content) keep.put(userId, key, { content, base, baseFiles, tried, version, at });
    else keep.remove(userId, key);
  };
  return {
    entries,
    put,
    find: (cid: string, parentId: string | undefined): Entry =>
      entries.get().get(keyOf(cid, parentId)) ?? createEntry(cid, parentId),
    userId: () => userId,
    /** Drops the drafts from memory. The storage keeps those that the server does not have: the same user may come back. */
    reset: (): void => {
      userId = undefined;
      entries.set(new Map());
    },
    /** Begins for a user. Drafts typed before the connection stay. */
    open: (id: string): void => {
      userId = id;
      for (const [key, kept] of keep.all(id)) {
        const [cid = '', parentId = ''] = key.split(' ');
        const typed = entries.get().get(key)?.content;
        const text = mergeTexts('', typed?.text ?? '', kept.content.text);
        const entry = { ...createEntry(cid, parentId || undefined), ...kept, isDirty: true };
        put({ ...entry, content: { ...kept.content, ...typed, text } });
      }
    },
  };
};
export type Book = ReturnType<typeof createBook>;
