import { type Polls, polls } from '@parley/client/polls';
import { useFeature } from '../../chat/use-feature.ts';

export const usePolls = (): Polls => useFeature(polls);
