import type { Feature } from '@parley/client';
import { type Box, createBox } from '../../../chat/readables.ts';

type Recordings = Box<ReadonlySet<string>>;

/** The keys of the drafts in which a voice message is being recorded or waits to be sent. */
export const openRecordings: Feature<Recordings> = {
  name: 'open-recordings',
  create: ({ resets }) => {
    const recordings: Recordings = createBox<ReadonlySet<string>>(new Set());
    resets.push(() => recordings.set(new Set()));
    return recordings;
  },
};

export const openRecording = ({ get, set }: Recordings, key: string): void => set(new Set([...get(), key]));

export const closeRecording = ({ get, set }: Recordings, key: string): void =>
  set(new Set([...get()].filter((other) => other !== key)));
