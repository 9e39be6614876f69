import { useContext, useEffect, useState } from 'react';
import { Room } from './sound-room.tsx';

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
