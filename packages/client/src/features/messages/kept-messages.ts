import type { MessageInput } from '@parley/protocol';
import { type ErrorName, errorTable, ParleyError, texts } from '@parley/protocol/errors';
import { type DeviceStorage, type Locks, storageOf } from '../../browser.ts';
import { fromCid } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { Outbox, OutboxEntry } from '../../sync/outbox.ts';

type Rest = () => Promise<Partial<MessageInput>>;
type Lost = Pick<OutboxEntry, 'cid' | 'id' | 'input' | 'error'>;

/** A message that waits to be sent, as this device keeps it. */
type Kept = Pick<OutboxEntry, 'cid' | 'id' | 'input' | 'createdAt' | 'status' | 'isTried' | 'isEdited'> & {
  /** The page that sends it. */
  page: string;
  /** Its rest, such as uploads, was not there yet: without it it must not be sent. */
  isPart?: boolean;
  error?: { name: ErrorName; message: string } | undefined;
};

export type KeptMessages = {
  /** Whether the last message that began to wait is on the device: a reload does not lose it. */
  isKeeping(): boolean;
  /** How many messages of the user wait on this device, those of other pages and refused ones included. */
  waiting(): number;
  /** Discards all of them, as when the user signs out for good: nothing of them stays on the device. */
  discardAll(): void;
  /** Gives the rest of a message whose uploads were cut off; it is asked for when the message is retried. */
  provide(id: string, rest: Rest): void;
  /** Calls the listener with each refused message that no conversation shows, those of before included: the channel is gone. */
  onLost(listener: (message: Lost) => void): () => void;
};

type Parsed<T> = { [K in keyof T]?: unknown };
const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isOne));

const isInput = (value: unknown): value is MessageInput => {
  if (!isObject(value)) return false;
  const { text = '', attachments, mentioned_users }: Parsed<MessageInput> = value;
  return isText(text) && isListOf(attachments, isObject) && isListOf(mentioned_users, isText);
};

/** Another version of the app may have written it: nothing else may reach the outbox, or it could not be drawn. */
const isKept = (kept: Parsed<Kept> | null): kept is Kept => {
  if (!isText(kept?.cid) || !isText(kept.createdAt)) return false;
  fromCid(kept.cid);
  const { id, page, input, status, error } = kept;
  return (
    !Number.isNaN(Date.parse(kept.createdAt)) &&
    isText(page) &&
    isText(id) &&
    id !== '' &&
    (status === 'sending' || status === 'failed') &&
    (error === undefined || (isObject(error) && 'name' in error && 'message' in error)) &&
    isInput(input)
  );
};

const prefixOf = (userId: string): string => `parley outbox ${userId} `;

/** Reads and writes the messages of one user; a storage that is full or forbidden keeps none. */
const createShelf = (storage: DeviceStorage | undefined, userId: () => string | undefined) => {
  const nameOf = (id: string) => prefixOf(userId() ?? '') + id;
  const read = (name: string): Kept | undefined => {
    try {
      const kept: Parsed<Kept> | null = JSON.parse(storage?.getItem(name) ?? 'null');
      return isKept(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  };
  const names = () =>
    Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '').filter((name) =>
      name.startsWith(prefixOf(userId() ?? '')),
    );
  return {
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
    clear: (): void => {
      for (const name of names()) storage?.removeItem(name);
    },
    /** All of the user, the first written first. */
    all: (): Kept[] =>
      names()
        .flatMap((name) => read(name) ?? [])
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
  };
};

type Shelf = ReturnType<typeof createShelf>;

const lockOf = (page: string): string => `parley outbox ${page}`;

/** The lock by which other pages see that this one still sends its messages. */
const createPresence = (locks: Locks | undefined, page: string) => {
  let leave = new AbortController();
  return {
    start: (): void => {
      leave = new AbortController();
      const { signal } = leave;
      const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      locks?.request(lockOf(page), () => left).catch(() => undefined);
    },
    /** Runs once the other page is closed or its user signed out: of several pages that wait, each in its turn. Without locks every
     * page seems closed. */
    whenGone: (other: string, run: () => void): void => {
      const { signal } = leave;
      if (!locks || other === page) run();
      else locks.request(lockOf(other), { signal }, async () => run()).catch(() => undefined);
    },
    stop: (): void => leave.abort(),
  };
};

const entryOf = ({ page: _, isPart, error, ...kept }: Kept): OutboxEntry => {
  const isNamed = error && Object.hasOwn(errorTable, error.name);
  const entry = { ...kept, ...(isNamed && { error: new ParleyError(error.name, error.message) }) };
  if (!isPart) return entry;
  const rest: Rest = () => Promise.reject(new ParleyError('InputInvalid', texts.uploadFailed));
  return { ...entry, status: 'failed', rest };
};

const keptOf = (entry: OutboxEntry, page: string): Kept => {
  const { cid, id, input, createdAt, status, isTried = false, isEdited = false, error } = entry;
  const isPart = entry.rest !== undefined;
  const refusal = error && { error: { name: error.name, message: error.message } };
  return { ...{ cid, id, input, createdAt, status, isTried, isEdited, page, isPart }, ...refusal };
};

/** The calls that need nothing but the shelf and the outbox. */
const createCalls = (shelf: Shelf, outbox: Outbox) => ({
  waiting: () => new Set([...shelf.all(), ...outbox.all()].map(({ id }) => id)).size,
  discardAll: () => {
    for (const { cid, id } of [...outbox.all()]) outbox.discard(cid, id);
    shelf.clear();
  },
  provide: (id: string, rest: Rest) => {
    const entry = outbox.all().find((one) => one.id === id);
    if (entry) entry.rest = rest;
  },
});

const createKeptMessages = (core: FeatureCore): KeptMessages => {
  const { environment, outbox } = core;
  const page = environment.uuid();
  const presence = createPresence(environment.locks ?? globalThis.navigator?.locks, page);
  let userId: string | undefined;
  let isKeeping = false;
  const shelf = createShelf(storageOf(environment.storage), () => userId);
  const listeners = new Set<(message: Lost) => void>();
  const isLost = ({ cid, error }: OutboxEntry) =>
    /^Not(Found|Allowed)$/.test(error?.name ?? '') && !core.store.confirmed(cid);

  const restore = (): void => {
    const mine = userId;
    const take = (other: string) => {
      if (userId !== mine) return;
      for (const one of shelf.all())
        if (one.page === other && !outbox.find(one.cid, one.id))
          outbox.add(entryOf(one)).catch(() => undefined);
    };
    for (const other of new Set(shelf.all().map((one) => one.page)))
      presence.whenGone(other, () => take(other));
  };
  const begin = (): void => {
    const id = core.me.get()?.id;
    if (id === undefined || id === userId) return;
    userId = id;
    presence.start();
    for (const entry of outbox.all()) isKeeping = shelf.put(keptOf(entry, page));
    restore();
  };
  core.afterOutbox.push((entry, isOver) => {
    if (userId === undefined) return;
    if (isOver) return shelf.remove(entry.id);
    isKeeping = shelf.put(keptOf(entry, page));
    if (isLost(entry)) for (const listener of listeners) listener(entry);
  });
  // The storage keeps them: a session that ended by itself goes on when the same user comes back, and never as another one.
  core.resets.push(() => {
    userId = undefined;
    presence.stop();
  });
  core.me.subscribe(begin);
  begin();
  return {
    ...createCalls(shelf, outbox),
    isKeeping: () => userId !== undefined && isKeeping,
    onLost: (listener) => {
      listeners.add(listener);
      for (const entry of outbox.all()) if (isLost(entry)) listener(entry);
      return () => void listeners.delete(listener);
    },
  };
};

/** Keeps the messages that wait to be sent on this device, so that neither a reload nor the end of a session loses them. */
export const keptMessages: Feature<KeptMessages> = { name: 'kept-messages', create: createKeptMessages };
