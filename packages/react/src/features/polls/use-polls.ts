import { type Polls, polls } from '@parley/client/polls';
import { useFeature } from '../../chat/use-feature.ts';

/** The polls of the client. */
export const usePolls = (): Polls => useFeature(polls);
