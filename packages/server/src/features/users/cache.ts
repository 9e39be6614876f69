import type { UserEntry } from '../../auth/actor.ts';
import { isStale } from '../../bus/bus.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLru } from '../../lib/lru.ts';
import { toUser } from './record.ts';
import { findUsers } from './store.ts';

export type UserCache = ReturnType<typeof createUserCache>;

/** Users by id, kept until they change. A row that a transaction reads is not kept: it may be its own and never committed. */
export const createUserCache = (kernel: Kernel) => {
  const known = createLru<UserEntry>(50_000);
  /** Bumped by every forgetting: a row read before it must not be kept after it. */
  let epoch = 0;
  kernel.bus.subscribe((event) => {
    if (!isStale(event, 'user')) return;
    epoch++;
    if (event.what === 'everything') known.clear();
    else known.delete(event.key);
  });

  const getMany = async (db: Db, ids: Iterable<string>): Promise<Map<string, UserEntry>> => {
    const found = new Map<string, UserEntry>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const entry = known.get(id);
      if (entry) found.set(id, entry);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    const before = epoch;
    for (const row of await findUsers(db, missing)) {
      const entry = { row, user: toUser(row) };
      if (epoch === before && !db.isTransaction) known.set(row.id, entry);
      found.set(row.id, entry);
    }
    return found;
  };

  return {
    getMany,
    peek: (id: string) => known.get(id),
    get: async (db: Db, id: string): Promise<UserEntry | undefined> =>
      known.get(id) ?? (await getMany(db, [id])).get(id),
  };
};
