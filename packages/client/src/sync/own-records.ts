/** What the server keeps for the own user alone, held equal by events, replies and reloads. */
import type { ParleyClient } from '../client.ts';
import { createBatch, createCell, type Readable, stopAll, type Unsubscribe } from '../readable.ts';
import { persist } from '../retry.ts';

type Page<T> = { records: readonly T[]; next?: string | undefined };

type Options<T> = {
  client: ParleyClient;
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
  /** Asks for all again. Rejects when the server cannot be reached. */
  load(): Promise<void>;
  stop: Unsubscribe;
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

/** By itself, until it succeeds: a list whose first load failed would stay empty until the next reconnect. */
const createLoading = ({ http, on }: ParleyClient, load: () => Promise<void>) => {
  let turn = 0;
  return {
    start: (): void => {
      turn += 1;
      const mine = turn;
      const world = { ...http.wire.environment, on };
      void persist(world, load, () => mine === turn).catch(() => undefined);
    },
    stop: (): void => {
      turn += 1;
    },
  };
};

/** Loads that are under way. What was heard meanwhile is newer than what they find. */
const createLoads = () => {
  const loads = new Set<Set<string>>();
  return {
    heard: (key: string): void => {
      for (const during of loads) during.add(key);
    },
    /** Shows what was found, unless a load that began later was shown before. */
    run: async <T>(load: () => Promise<T>, show: (found: T, during: ReadonlySet<string>) => void) => {
      const during = new Set<string>();
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

/** Loads when a user connects and after every recovery: events of one user are in no log. */
export const createOwnRecords = <T extends { updated_at: string }>(options: Options<T>): OwnRecords<T> => {
  const { client, keyOf } = options;
  const batch = createBatch();
  const all = createCell<ReadonlyMap<string, T>>(new Map(), batch);
  const isLoaded = createCell(false, batch);
  /** When what is gone went: a late reply must not bring it back. */
  const gone = new Map<string, string>();
  const { heard, run } = createLoads();
  let ownId: string | undefined;

  const take = (record: T): void => {
    const key = keyOf(record);
    const known = all.get().get(key);
    const since = known?.updated_at ?? gone.get(key) ?? '';
    if (record.updated_at < since || record === known) return;
    heard(key);
    all.set(new Map(all.get()).set(key, record));
  };
  const drop = (key: string, at: string): void => {
    const known = all.get().get(key);
    if (known && known.updated_at > at) return;
    heard(key);
    gone.set(key, at);
    if (!known) return;
    const rest = new Map(all.get());
    rest.delete(key);
    all.set(rest);
  };
  const load = (): Promise<void> => {
    const loadedFor = ownId;
    return run(
      () => loadAll(options.load),
      (found, during) => {
        if (loadedFor === ownId) show(found, during);
      },
    );
  };
  const show = (found: readonly T[], during: ReadonlySet<string>): void => {
    const kept = [...all.get()].filter(([key]) => during.has(key));
    const fresh = found.filter((record) => !during.has(keyOf(record)));
    all.set(new Map([...fresh.map((record) => [keyOf(record), record] as const), ...kept]));
    isLoaded.set(true);
    options.onLoaded?.(fresh);
  };
  const loading = createLoading(client, load);
  const meet = (): void => {
    const me = client.me.get();
    if (me === undefined || me.id === ownId) return;
    ownId = me.id;
    gone.clear();
    all.set(new Map());
    isLoaded.set(false);
    if (me.role !== 'anonymous') loading.start();
  };
  const stops = [client.me.subscribe(meet), client.on('connection.recovered', loading.start)];
  meet();
  return {
    ...{ all, isLoaded, take, drop, load },
    stop: stopAll([...stops, loading.stop]),
  };
};
