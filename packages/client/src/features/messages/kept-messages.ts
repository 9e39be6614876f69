import type { MessageInput } from '@parley/protocol';
import { type ErrorName, ParleyError, texts } from '@parley/protocol/errors';
import { type DeviceStorage, type Locks, storageOf } from '../../browser.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { OutboxEntry } from '../../sync/outbox.ts';

type Rest = () => Promise<Partial<MessageInput>>;
type Lost = Pick<OutboxEntry, 'cid' | 'id' | 'input' | 'error'>;

/** A message that waits to be sent, as this device keeps it. */
type Kept = Pick<OutboxEntry, 'cid' | 'id' | 'input' | 'createdAt' | 'status' | 'isTried'> & {
  /** The page that sends it. */
  page: string;
  error?: { name: ErrorName; message: string } | undefined;
};

export type KeptMessages = {
  /** Whether the last message that began to wait is on the device: a reload does not lose it. */
  isKeeping(): boolean;
  /** The number of messages of the user that are not sent yet, in all pages of this browser. */
  waiting(): number;
  /** Gives the rest of a message whose uploads a reload has cut off; it is asked for when the message is retried. */
  provide(id: string, rest: Rest): void;
  /** Calls the listener with a refused message that no conversation shows: the channel is gone. */
  onLost(listener: (message: Lost) => void): () => void;
};

const prefixOf = (userId: string): string => `parley outbox ${userId} `;

/** Reads and writes the messages of one user; a storage that is full or forbidden keeps none. */
const createShelf = (storage: DeviceStorage | undefined, userId: () => string | undefined) => {
  const nameOf = (id: string) => prefixOf(userId() ?? '') + id;
  const read = (name: string): Kept | undefined => {
    try {
      const kept = JSON.parse(storage?.getItem(name) ?? 'null') as Kept | null;
      return typeof kept?.cid === 'string' && typeof kept.input === 'object' ? kept : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    find: (id: string) => read(nameOf(id)),
    /** False where there is no room for it. */
    put: (kept: Kept): boolean => {
      try {
        storage?.setItem(nameOf(kept.id), JSON.stringify(kept));
        return storage !== undefined;
      } catch {
        return false;
      }
    },
    remove: (id: string): void => storage?.removeItem(nameOf(id)),
    /** All of the user, the first written first. */
    all: (): Kept[] => {
      const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
      return names
        .filter((name) => name.startsWith(prefixOf(userId() ?? '')))
        .flatMap((name) => read(name) ?? [])
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
  };
};

const lockOf = (page: string): string => `parley outbox ${page}`;

/** Runs once the page is known to be closed: of several pages that ask, one runs. Without locks every page seems closed. */
const whenClosed = async (locks: Locks | undefined, page: string, run: () => void): Promise<void> => {
  if (!locks) return run();
  await locks.request(lockOf(page), { ifAvailable: true }, async (lock) => {
    if (lock) run();
  });
};

/** Matches the placeholder of an upload that a reload has cut off. */
const isCutOff = ({ attachments = [] }: MessageInput): boolean =>
  attachments.some((attachment) => 'state' in attachment);

const entryOf = ({ page: _, error, ...kept }: Kept, rests: ReadonlyMap<string, Rest>): OutboxEntry => {
  const entry = { ...kept, ...(error && { error: new ParleyError(error.name, error.message) }) };
  if (!isCutOff(kept.input)) return entry;
  const rest: Rest = () =>
    rests.get(kept.id)?.() ?? Promise.reject(new ParleyError('InputInvalid', texts.uploadFailed));
  return { ...entry, status: 'failed', rest };
};

const keptOf = (entry: OutboxEntry, page: string): Kept => {
  const { cid, id, input, createdAt, status, isTried = false, error } = entry;
  const refusal = error && { error: { name: error.name, message: error.message } };
  return { ...{ cid, id, input, createdAt, status, isTried, page }, ...refusal };
};

const createKeptMessages = (core: FeatureCore): KeptMessages => {
  const { environment, outbox } = core;
  const locks = environment.locks ?? globalThis.navigator?.locks;
  const page = environment.uuid();
  let userId: string | undefined;
  let isKeeping = false;
  const shelf = createShelf(storageOf(environment.storage), () => userId);
  const rests = new Map<string, Rest>();
  const listeners = new Set<(message: Lost) => void>();

  /** Held until the page is closed. */
  locks?.request(lockOf(page), () => new Promise(() => {})).catch(() => undefined);

  const restore = (): void => {
    const mine = userId;
    const kept = shelf.all();
    for (const other of new Set(kept.map((one) => one.page)))
      void whenClosed(other === page ? undefined : locks, other, () => {
        if (userId !== mine) return;
        for (const one of kept) {
          // Another page may have taken or sent it meanwhile.
          if (one.page !== other || shelf.find(one.id)?.page !== other) continue;
          if (outbox.find(one.cid, one.id)) continue;
          outbox.add(entryOf(one, rests)).catch(() => undefined);
        }
      });
  };
  const begin = (): void => {
    const id = core.me.get()?.id;
    if (id === undefined || id === userId) return;
    userId = id;
    for (const entry of outbox.all()) isKeeping = shelf.put(keptOf(entry, page));
    restore();
  };
  core.afterOutbox.push((entry, isOver) => {
    if (userId === undefined) return;
    if (isOver) {
      rests.delete(entry.id);
      return shelf.remove(entry.id);
    }
    isKeeping = shelf.put(keptOf(entry, page));
    const isGone = /^Not(Found|Allowed)$/.test(entry.error?.name ?? '') && !core.store.confirmed(entry.cid);
    if (isGone) for (const listener of listeners) listener(entry);
  });
  // The storage keeps them: they are sent when the same user comes back, and never as another one.
  core.resets.push(() => {
    userId = undefined;
    rests.clear();
  });
  core.me.subscribe(begin);
  begin();
  return {
    isKeeping: () => userId !== undefined && isKeeping,
    waiting: () => new Set([...shelf.all(), ...outbox.all()].map(({ id }) => id)).size,
    provide: (id, rest) => void rests.set(id, rest),
    onLost: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** Keeps the messages that wait to be sent on this device, so that a reload or a disconnect does not lose them. */
export const keptMessages: Feature<KeptMessages> = { name: 'kept-messages', create: createKeptMessages };
