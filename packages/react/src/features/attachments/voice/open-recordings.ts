import { type Box, userBox } from '../../../chat/readables.ts';

type Recordings = Box<ReadonlySet<string>>;

/** The keys of the drafts in which a voice message is being recorded or waits to be sent. */
export const openRecordings = userBox<ReadonlySet<string>>('open-recordings', new Set());

export const openRecording = ({ get, set }: Recordings, key: string): void => set(new Set([...get(), key]));

export const closeRecording = ({ get, set }: Recordings, key: string): void =>
  set(new Set([...get()].filter((other) => other !== key)));
