import { createContext, type ReactNode, useEffect, useState } from 'react';

export const Room = createContext<Map<string, HTMLAudioElement> | undefined>(undefined);

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
