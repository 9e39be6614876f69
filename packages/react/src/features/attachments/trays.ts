import type { Feature, FeatureCore, VisibleMessage } from '@parley/client';
import { keptMessages } from '@parley/client/messages';
import { composerExtras } from '../composer/composer-extras.ts';
import { draftBox } from '../drafts/draft-box.ts';
import { type QueuedFiles, queueFiles, restoreQueued } from './queued-files.ts';
import {
  createTray,
  keyOf,
  silent,
  type Tray,
  type TrayChat,
  type TrayListener,
  type TrayPlace,
} from './tray.ts';
import { uploading } from './uploading.ts';

export type Trays = {
  of(place: TrayPlace): Tray;
  /** The files of a message that waits for them. */
  queuedOf(message: VisibleMessage): Tray;
  listen(listener: TrayListener): void;
  /** Calls the listener when the files of a composer were handed over to a message: the next are in another tray. */
  subscribe(listener: () => void): () => void;
};

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

type Upload = Pick<Tray, 'isBusy'>;

/** Warns who closes the page while an upload runs. It listens only then: browsers do not cache pages that always listen. */
const createGuard = (uploads: () => readonly Upload[]) => () => {
  if (uploads().some((one) => one.isBusy())) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
};

const createTrays = (chat: TrayChat, { afterOutbox }: Pick<FeatureCore, 'afterOutbox'>): Trays => {
  const trays = new Map<string, Tray>();
  const queued = new Map<string, QueuedFiles>();
  const listeners = new Set<() => void>();
  let listener = silent;
  const all = () => [...trays.values(), ...queued.values()];
  const guard = createGuard(all);
  const queue = {
    client: chat.client,
    listener: () => listener,
    onEnd: (id: string) => {
      queued.delete(id);
      guard();
    },
  };
  const put = (id: string, files: QueuedFiles): Tray => {
    queued.set(id, files);
    files.tray.subscribe(guard);
    guard();
    return files.tray;
  };
  chat.uploading.stop = () => {
    for (const one of all()) one.stop();
  };
  // A message that is discarded takes its files along.
  afterOutbox.push(({ id }, isOver) => isOver && queued.get(id)?.giveUp());
  return {
    of: (place) => {
      const key = keyOf(place);
      const existing = trays.get(key);
      if (existing) return existing;
      const tray = createTray(chat, place, () => listener, {
        onEnd: () => {
          stopGuard();
          trays.delete(key);
          guard();
        },
        onDetach: (files, detaching) => {
          const { message, queued: waiting } = queueFiles(queue, place.cid, files, detaching);
          put(message.id, waiting);
          for (const changed of listeners) changed();
          return message;
        },
      });
      const stopGuard = tray.subscribe(guard);
      trays.set(key, tray);
      return tray;
    },
    queuedOf: (message) =>
      queued.get(message.id)?.tray ?? put(message.id, restoreQueued(queue, chat, message)),
    listen: (next) => {
      const isFirst = listener === silent;
      listener = next;
      // One listener stands for all composers and rows, or each would show the same message.
      if (isFirst) chat.client.feature(keptMessages).onLost((message) => listener.onLost(message));
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
    },
  };
};

/** The uploads of all composers; stopped when the user signs out. */
export const trays: Feature<Trays> = {
  name: 'trays',
  create: ({ client, afterOutbox }) =>
    createTrays(
      {
        client,
        drafts: client.feature(draftBox),
        extras: client.feature(composerExtras),
        uploading: client.feature(uploading),
      },
      { afterOutbox },
    ),
};
