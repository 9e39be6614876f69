import { useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { draftBox } from './draft-box.ts';

/** In how many channels and threads something is written and not sent. */
export function useDraftCount(): number {
  return useReadable(useFeature(draftBox).all, (all) => all.length);
}
