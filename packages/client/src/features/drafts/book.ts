import { createBatch, createCell } from '../../readable.ts';
import { isEmpty } from './content.ts';
import { createEntry, type Entry } from './entry.ts';
import { createKeep, type DraftStorage } from './storage.ts';

export const keyOf = (cid: string, parentId: string | undefined): string => `${cid} ${parentId ?? ''}`;

/** The drafts of one user on this device, with a copy of what the server does not have yet. */
export const createBook = (storage: DraftStorage | undefined) => {
  const keep = createKeep(storage);
  const entries = createCell<ReadonlyMap<string, Entry>>(new Map(), createBatch());
  let userId: string | undefined;

  const put = (entry: Entry): void => {
    const key = keyOf(entry.cid, entry.parentId);
    entries.set(new Map(entries.get()).set(key, entry));
    if (userId === undefined) return;
    const content = entry.isDirty && !isEmpty(entry.content) ? entry.content : entry.sending;
    const { base, baseFiles = [], tried = [], version, at } = entry;
    if (content) keep.put(userId, key, { content, base, baseFiles, tried, version, at });
    else keep.remove(userId, key);
  };
  return {
    entries,
    put,
    find: (cid: string, parentId: string | undefined): Entry =>
      entries.get().get(keyOf(cid, parentId)) ?? createEntry(cid, parentId),
    userId: () => userId,
    /** Begins anew for another user. What was typed before the first connection stays. */
    open: (id: string): void => {
      if (userId !== undefined) entries.set(new Map());
      userId = id;
      for (const [key, kept] of keep.all(id)) {
        const [cid = '', parentId = ''] = key.split(' ');
        put({ ...createEntry(cid, parentId || undefined), ...kept, isDirty: true });
      }
    },
  };
};
export type Book = ReturnType<typeof createBook>;
