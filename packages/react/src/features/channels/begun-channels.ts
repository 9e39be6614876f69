import type { Feature } from '@parley/client';
import { type Box, createBox } from '../../chat/readables.ts';

/** Channels begun here; lists show them before the server counts them in. */
export const begunChannels: Feature<Box<readonly string[]>> = {
  name: 'begun-channels',
  create: ({ resets }) => {
    const begun = createBox<readonly string[]>([]);
    resets.push(() => begun.set([]));
    return begun;
  },
};
