import { useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { draftBox } from './draft-box.ts';

/** The number of channels and threads with a draft. */
export function useDraftCount(): number {
  return useReadable(useFeature(draftBox).all, (all) => all.length);
}
