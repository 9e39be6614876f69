import type { ParleyClient } from '@parley/client';
import { useEffect, useRef } from 'react';
import type { FirstScreen } from '../../chat/first-screen.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import type { DraftBox } from './draft-box.ts';
import { draftTexts } from './texts.ts';

export type DraftKeeperProps = { client: ParleyClient; drafts: DraftBox; firstScreen: FirstScreen };

/** Brings drafts to the server and back while it is mounted; says when two devices were put together. */
export function DraftKeeper({ client, drafts, firstScreen }: DraftKeeperProps) {
  const notices = useNotices();
  const text = useTexts(draftTexts);
  const isTime = useReadable(firstScreen.stands);
  const say = useRef(() => {});
  useEffect(() => {
    say.current = () => void notices.show({ title: text('draftMerged') });
  });
  useEffect(() => {
    if (!isTime) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    // Loaded after the first screen: what is typed before it is taken along.
    void import('./draft-carrier.ts').then(({ carryDrafts }) => {
      if (!isOver) stop = carryDrafts(client, drafts, () => say.current());
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [client, drafts, isTime]);
  return null;
}
