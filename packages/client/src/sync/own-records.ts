/** Records that the server keeps for the own user alone, held equal by events, replies and reloads. */
import type { Core } from '../core.ts';
import { createQuestion } from '../question.ts';
import { createCell, type Readable } from '../readable.ts';

type Page<T> = { records: readonly T[]; next?: string | undefined };

type RecordChange<T> = (record: T) => T | undefined;

type Options<T> = {
  core: Core;
  keyOf(record: T): string;
  /** One page of all; `next` is that of the page before. */
  load(next: string | undefined): Promise<Page<T>>;
  /** The records as a load found them, and those known before it. */
  onLoaded?(found: readonly T[]): void;
};

export type OwnRecords<T> = {
  all: Readable<ReadonlyMap<string, T>>;
  isLoaded: Readable<boolean>;
  take(record: T): void;
  drop(key: string, at: string): void;
  /** Changes all records, also what a load that is under way finds; drops one of which nothing is left. */
  changeAll(change: RecordChange<T>): void;
  /** Asks for all again. Rejects when the server cannot be reached. */
  load(): Promise<void>;
  /** Asks for all again, until there is an answer; once more after one that is on its way. */
  reload(): void;
};

const loadAll = async <T>(load: Options<T>['load']): Promise<T[]> => {
  const found: T[] = [];
  let next: string | undefined;
  do {
    const page = await load(next);
    found.push(...page.records);
    next = page.next;
  } while (next !== undefined);
  return found;
};

/** The same map where nothing changes. */
const mapRecords = <T>(known: ReadonlyMap<string, T>, change: RecordChange<T>): ReadonlyMap<string, T> => {
  const next = new Map<string, T>();
  let isSame = true;
  for (const [key, record] of known) {
    const changed = change(record);
    if (changed) next.set(key, changed);
    if (changed !== record) isSame = false;
  }
  return isSame ? known : next;
};

/** The changes while a load was under way. A record that arrived meanwhile is newer than the one it finds. */
type During<T> = { keys: Set<string>; changes: RecordChange<T>[] };

const createLoads = <T>() => {
  const loads = new Set<During<T>>();
  return {
    cancel: (): void => loads.clear(),
    changed: (key: string): void => {
      for (const { keys } of loads) keys.add(key);
    },
    changedAll: (change: RecordChange<T>): void => {
      for (const { changes } of loads) changes.push(change);
    },
    /** Shows what was found, unless a load that began later was shown before. */
    run: async (load: () => Promise<T[]>, show: (found: readonly T[], during: During<T>) => void) => {
      const during: During<T> = { keys: new Set(), changes: [] };
      loads.add(during);
      const before = [...loads];
      try {
        const found = await load();
        if (!loads.has(during)) return;
        for (const older of before) loads.delete(older);
        show(found, during);
      } finally {
        loads.delete(during);
      }
    },
  };
};

/** Loads when a user connects and after every recovery, as events of one user are in no log; empty again when the user signs out. */
export const createOwnRecords = <T extends { updated_at: string }>(options: Options<T>): OwnRecords<T> => {
  const { core, keyOf } = options;
  const { batch, me } = core;
  const all = createCell<ReadonlyMap<string, T>>(new Map(), batch);
  const isLoaded = createCell(false, batch);
  /** When each deleted record was deleted: a late reply must not restore it. */
  const gone = new Map<string, string>();
  const { changed, changedAll, run, cancel } = createLoads<T>();
  let ownId: string | undefined;

  const take = (record: T): void => {
    const key = keyOf(record);
    const known = all.get().get(key);
    const since = known?.updated_at ?? gone.get(key) ?? '';
    if (record.updated_at < since || record === known) return;
    changed(key);
    all.set(new Map(all.get()).set(key, record));
  };
  const drop = (key: string, at: string): void => {
    const known = all.get().get(key);
    if (known && known.updated_at > at) return;
    changed(key);
    gone.set(key, at);
    if (!known) return;
    const rest = new Map(all.get());
    rest.delete(key);
    all.set(rest);
  };
  const changeAll = (change: RecordChange<T>): void => {
    changedAll(change);
    all.set(mapRecords(all.get(), change));
  };
  const load = (): Promise<void> => run(() => loadAll(options.load), show);
  const show = (found: readonly T[], { keys, changes }: During<T>): void => {
    const kept = [...all.get()].filter(([key]) => keys.has(key));
    const asNow = (record: T) =>
      changes.reduce<T | undefined>((known, change) => known && change(known), record) ?? [];
    const fresh = found.filter((record) => !keys.has(keyOf(record))).flatMap(asNow);
    all.set(new Map([...fresh.map((record) => [keyOf(record), record] as const), ...kept]));
    isLoaded.set(true);
    options.onLoaded?.(fresh);
  };
  // A list whose first load failed would stay empty until the next reconnect.
  const loading = createQuestion(core, load);
  const begin = (): void => {
    const own = me.get();
    if (own === undefined || own.id === ownId) return;
    ownId = own.id;
    if (own.role !== 'anonymous') loading.begin();
  };
  me.subscribe(begin);
  core.events.on('connection.recovered', loading.begin);
  core.resets.push(() => {
    ownId = undefined;
    loading.cancel();
    cancel();
    gone.clear();
    all.set(new Map());
    isLoaded.set(false);
  });
  begin();
  return { all, isLoaded, take, drop, changeAll, load, reload: loading.again };
};
