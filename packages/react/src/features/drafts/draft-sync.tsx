import { useEffect, useRef } from 'react';
import { useChat, useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { draftBox } from './draft-box.ts';
import { draftTexts } from './texts.ts';

/** Syncs drafts with the server while it is mounted, and notifies when those of two devices were merged. */
export function DraftSync() {
  const { client, firstScreen } = useChat();
  const drafts = useFeature(draftBox);
  const notices = useNotices();
  const text = useTexts(draftTexts);
  const isTime = useReadable(firstScreen.isReady);
  const showNotice = useRef(() => {});
  useEffect(() => {
    showNotice.current = () => void notices.show({ title: text('draftMerged') });
  });
  useEffect(() => {
    if (!isTime) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    // Loaded after the first screen: text that is typed before is saved as well.
    void import('./draft-carrier.ts').then(({ carryDrafts }) => {
      if (!isOver) stop = carryDrafts(client, drafts, () => showNotice.current());
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [client, drafts, isTime]);
  return null;
}
