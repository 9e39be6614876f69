import type { ParleyClient } from '@parley/client';
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import type { DraftBox } from './draft-box.ts';

export type DraftKeeperProps = { client: ParleyClient; drafts: DraftBox };

/** Brings drafts to the server and back while it is mounted; says when two devices were put together. */
export function DraftKeeper({ client, drafts }: DraftKeeperProps) {
  const notices = useNotices();
  const text = useText();
  const say = useRef(() => {});
  useEffect(() => {
    say.current = () => void notices.show({ title: text('draftMerged') });
  });
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    // Loaded after the first paint: what is typed before it is taken along.
    void import('./draft-carrier.ts').then(({ carryDrafts }) => {
      if (!isOver) stop = carryDrafts(client, drafts, () => say.current());
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [client, drafts]);
  return null;
}
