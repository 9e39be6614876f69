import type { Feature } from '@parley/client';
import { useClient } from './chat-provider.tsx';

/** A feature of the client that is loaded late; the same object for all components, emptied when the user signs out. */
export const useFeature = <T>(feature: Feature<T>): T => useClient().feature(feature);
