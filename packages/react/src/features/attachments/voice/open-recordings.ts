import type { Box } from '../../../chat/readables.ts';

type Recordings = Box<ReadonlySet<string>>;

export const openRecording = ({ get, set }: Recordings, key: string): void => set(new Set([...get(), key]));

export const closeRecording = ({ get, set }: Recordings, key: string): void =>
  set(new Set([...get()].filter((other) => other !== key)));
