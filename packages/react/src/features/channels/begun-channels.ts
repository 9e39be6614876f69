import { userBox } from '../../chat/readables.ts';

/** Channels that were created here; lists show them before the server lists them. */
export const begunChannels = userBox<readonly string[]>('begun-channels', []);
