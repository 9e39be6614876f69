import { useContext, useEffect, useState } from 'react';
import { SoundContext } from './sound-provider.tsx';

/** The element that plays a sound: outside the page, as one that leaves it falls silent. */
export function useSound(key: string): HTMLAudioElement {
  const sounds = useContext(SoundContext);
  const [sound] = useState(() => sounds?.get(key) ?? document.createElement('audio'));
  useEffect(() => {
    sounds?.set(key, sound);
    return () => {
      // One that is heard, or was stopped on its way, is found again when its row comes back.
      if (sounds?.get(key) === sound && (!sound.paused || sound.currentTime > 0)) return;
      sound.pause();
      sounds?.delete(key);
    };
  }, [sounds, key, sound]);
  return sound;
}
