import { userBox } from '../../chat/readables.ts';

/** Channels begun here; lists show them before the server counts them in. */
export const begunChannels = userBox<readonly string[]>('begun-channels', []);
