import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

const Room = createContext<Map<string, HTMLAudioElement> | undefined>(undefined);

/** What is heard in a list goes on while its row is out of sight, and ends with the list. */
export function SoundRoom({ children }: { children: ReactNode }) {
  const [sounds] = useState(() => new Map<string, HTMLAudioElement>());
  useEffect(
    () => () => {
      for (const sound of sounds.values()) sound.pause();
      sounds.clear();
    },
    [sounds],
  );
  return <Room value={sounds}>{children}</Room>;
}

/** The element that plays a sound: outside the page, as one that leaves it falls silent. */
export function useSound(key: string): HTMLAudioElement {
  const room = useContext(Room);
  const [sound] = useState(() => room?.get(key) ?? document.createElement('audio'));
  useEffect(() => {
    room?.set(key, sound);
    return () => {
      // One that is heard, or was stopped on its way, is found again when its row comes back.
      if (room?.get(key) === sound && (!sound.paused || sound.currentTime > 0)) return;
      sound.pause();
      room?.delete(key);
    };
  }, [room, key, sound]);
  return sound;
}
