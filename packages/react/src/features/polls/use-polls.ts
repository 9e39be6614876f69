import { type Polls, polls } from '@parley/client/polls';
import { useFeature } from '../../chat/client-provider.tsx';

/** The polls of the client. */
export const usePolls = (): Polls => useFeature(polls);
