import type { ChannelState } from '@parley/client';
import { useEffect, useRef, useState } from 'react';
import { attention } from '../../chat/attention.ts';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useIsFirstScreenReady } from '../../chat/use-first-screen.ts';
import { useReadable } from '../../chat/use-readable.ts';
import type { UnreadMark } from '../messages/message-items.ts';

/** Whether the reader sees the page as it is now: a screen that was kept from an earlier visit shows no new messages yet. */
const useLooking = (): boolean => [useReadable(attention), useIsFirstScreenReady()].every(Boolean);

/** Marks a channel read while its end is in view and the page has the attention of the user. */
export function useMarkRead(cid: string, isAtEnd: boolean): void {
  const client = useClient();
  const isLooking = useLooking();
  const isConnected = useOwnId() !== undefined;
  const lastNumber = useChannel(cid, (state) => state?.lastNumber ?? 0);
  // A message that was marked unread stays so until a new one arrives or the reader comes back.
  const kept = useRef<number>(undefined);
  useEffect(
    () =>
      client.on('notification.mark_unread', (event) => {
        if (event.cid === cid) kept.current = client.channels.state(cid).get()?.lastNumber;
      }),
    [client, cid],
  );
  useEffect(() => {
    const unread = client.channels.state(cid).get()?.unread ?? 0;
    if (kept.current === lastNumber) return;
    if (isAtEnd && isLooking && isConnected && unread > 0) client.reads.markRead(cid).catch(() => {});
  }, [client, cid, isAtEnd, isLooking, isConnected, lastNumber]);
}

const markOf = (state: ChannelState | undefined): UnreadMark | undefined => {
  const own = state?.read[state.ownId];
  if (!state || !own || state.unread === 0) return undefined;
  const near = own.last_read_message_id ?? { at: own.last_read ?? state.membership?.created_at ?? '' };
  return { after: own.last_read_number, count: state.unread, near };
};

/** The first unread message at the time when the channel was opened, or when the reader looked away. */
export function useUnreadMark(cid: string): UnreadMark | undefined {
  const { channels } = useClient();
  const isLooking = useLooking();
  const [mark, setMark] = useState(() => markOf(channels.state(cid).get()));
  useEffect(() => {
    const state = channels.state(cid).get();
    if (!state || state.read[state.ownId] === undefined) return;
    const after = state.lastNumber;
    if (!isLooking) {
      if (state.unread === 0) setMark({ after });
      return;
    }
    // Nothing arrived meanwhile: messages that arrive now are seen at once.
    setMark((previous) => (previous?.after === after ? undefined : previous));
  }, [channels, cid, isLooking]);
  return mark;
}
