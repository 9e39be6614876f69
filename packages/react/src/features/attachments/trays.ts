import type { Feature } from '@parley/client';
import { composerExtras } from '../composer/composer-extras.ts';
import { draftBox } from '../drafts/draft-box.ts';
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
  listen(listener: TrayListener): void;
};

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

const createTrays = (chat: TrayChat): Trays => {
  const trays = new Map<string, Tray>();
  let listener = silent;
  // Listened to only while something would be lost: browsers do not cache pages that always listen.
  const guard = () => {
    const isBusy = [...trays.values()].some((tray) => tray.isBusy());
    if (isBusy) addEventListener('beforeunload', warn);
    else removeEventListener('beforeunload', warn);
  };
  chat.uploading.stop = () => {
    for (const tray of [...trays.values()]) tray.stop();
  };
  return {
    of: (place) => {
      const key = keyOf(place);
      const existing = trays.get(key);
      if (existing) return existing;
      const tray = createTray(
        chat,
        place,
        () => listener,
        () => {
          stopGuard();
          trays.delete(key);
          guard();
        },
      );
      const stopGuard = tray.subscribe(guard);
      trays.set(key, tray);
      return tray;
    },
    listen: (next) => {
      listener = next;
    },
  };
};

/** The uploads of all composers; stopped when the user signs out. */
export const trays: Feature<Trays> = {
  name: 'trays',
  create: ({ client }) =>
    createTrays({
      client,
      drafts: client.feature(draftBox),
      extras: client.feature(composerExtras),
      uploading: client.feature(uploading),
    }),
};
