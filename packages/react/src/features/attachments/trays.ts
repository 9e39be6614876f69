import type { Chat } from '../../chat/chat-provider.tsx';
import { createTray, deaf, keyOf, type Tray, type TrayEars, type TrayPlace } from './tray.ts';

export type Trays = {
  of(place: TrayPlace): Tray;
  listen(ears: TrayEars): void;
};

const made = new WeakMap<Chat, Trays>();

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

const createTrays = (chat: Chat): Trays => {
  const trays = new Map<string, Tray>();
  let ears = deaf;
  // Asked for only while something would be lost: pages that listen to it always are not kept for going back.
  const guard = () => {
    const isBusy = [...trays.values()].some((tray) => tray.isBusy());
    if (isBusy) addEventListener('beforeunload', warn);
    else removeEventListener('beforeunload', warn);
  };
  chat.uploading.stop = () => {
    for (const tray of [...trays.values()]) tray.stop();
    made.delete(chat);
  };
  return {
    of: (place) => {
      const key = keyOf(place);
      const known = trays.get(key);
      if (known) return known;
      const tray = createTray(
        chat,
        place,
        () => ears,
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
      ears = next;
    },
  };
};

/** All files on their way, of all composers. */
export const traysOf = (chat: Chat): Trays => {
  const known = made.get(chat) ?? createTrays(chat);
  made.set(chat, known);
  return known;
};
