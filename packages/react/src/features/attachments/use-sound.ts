import { useContext, useEffect, useState } from 'react';
import { SoundContext } from './sound-provider.tsx';

/** The element that plays a sound: outside the document, as an element that leaves it stops. */
export function useSound(key: string): HTMLAudioElement {
  const sounds = useContext(SoundContext);
  const [sound] = useState(() => sounds?.get(key) ?? document.createElement('audio'));
  useEffect(() => {
    sounds?.set(key, sound);
    return () => {
      // A sound that plays, or was paused in the middle, is found again when its row comes back.
      if (sounds?.get(key) === sound && (!sound.paused || sound.currentTime > 0)) return;
      sound.pause();
      sounds?.delete(key);
    };
  }, [sounds, key, sound]);
  return sound;
}
