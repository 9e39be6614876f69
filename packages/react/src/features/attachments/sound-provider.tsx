import { createContext, type ReactNode, useEffect, useState } from 'react';

export const SoundContext = createContext<Map<string, HTMLAudioElement> | undefined>(undefined);

/** Sounds of a list go on playing while their rows are out of sight, and stop with the list. */
export function SoundProvider({ children }: { children: ReactNode }) {
  const [sounds] = useState(() => new Map<string, HTMLAudioElement>());
  useEffect(
    () => () => {
      for (const sound of sounds.values()) sound.pause();
      sounds.clear();
    },
    [sounds],
  );
  return <SoundContext value={sounds}>{children}</SoundContext>;
}
