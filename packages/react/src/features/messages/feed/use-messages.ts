import type { VisibleMessage } from '@parley/client';
import { useMemo } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { useChannel } from '../../../chat/use-channel.ts';

/** A quarter of the loaded window: where a page is added at one side, the rows removed at the other must be far from the reader. */
const historyPage = { limit: 50 };

const none: readonly VisibleMessage[] = [];

export type MessageTimeline = {
  messages: readonly VisibleMessage[];
  hasOlder: boolean;
  hasNewer: boolean;
  isLoadingOlder: boolean;
  isLoadingNewer: boolean;
  /** Loads the page before the first message. */
  loadOlder: () => void;
  /** Loads the page after the last message. */
  loadNewer: () => void;
};

const shallow = <T extends Record<string, unknown>>(a: T, b: T): boolean =>
  Object.keys(a).every((key) => Object.is(a[key], b[key]));

/** The loaded messages of a channel, or of one of its threads, and functions to load more. */
export function useMessages(cid: string, parentId?: string): MessageTimeline {
  const { messages } = useClient();
  const view = useChannel(
    cid,
    (state) => {
      const thread = parentId === undefined ? undefined : state?.threads[parentId];
      const list = parentId === undefined ? state : thread;
      return {
        messages: list?.messages ?? none,
        hasOlder: list?.hasOlder ?? false,
        hasNewer: list?.hasNewer ?? false,
        isLoadingOlder: thread?.isLoading ?? (parentId === undefined && (state?.isLoadingOlder ?? false)),
        isLoadingNewer: parentId === undefined && (state?.isLoadingNewer ?? false),
      };
    },
    shallow,
  );
  const ways = useMemo(
    () => ({
      loadOlder: () => {
        const load =
          parentId === undefined
            ? messages.loadOlder(cid, historyPage)
            : messages.replies.loadOlder(cid, parentId);
        load.catch(() => {});
      },
      loadNewer: () => {
        const load =
          parentId === undefined
            ? messages.loadNewer(cid, historyPage)
            : messages.replies.loadNewer(cid, parentId);
        load.catch(() => {});
      },
    }),
    [messages, cid, parentId],
  );
  return { ...view, ...ways };
}
