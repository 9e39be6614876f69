import { ParleyError } from '@parley/client';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { useTexts } from '../../../i18n/text-context.tsx';
import type { MessageListHandle } from '../../../list/use-anchored-list.ts';
import { useNotices } from '../../../ui/notices.tsx';
import type { UnreadMark } from '../message-items.ts';
import { messageTexts } from '../texts.ts';

const highlightMs = 2600;

export type Jumps = {
  list: RefObject<MessageListHandle | null>;
  /** Loads the message and scrolls to it. */
  toMessage: (id: string) => void;
  /** Jumps to the first unread message. */
  toUnread: (mark: UnreadMark) => void;
  /** Jumps to the newest message. */
  toEnd: () => void;
  /** The list calls it: it loads the message again that was read, after its window was replaced. */
  onLost: (key: string) => void;
  /** The message that was jumped to a moment ago. */
  lit: string | undefined;
};

type Target = { key: string } | 'end';

const page = { limit: 100 };
const mostPages = 5;

/** Jumps within a channel or a thread: the message is loaded first, and scrolled to once it is drawn. */
export function useJump(cid: string, parentId?: string): Jumps {
  const { messages, channels } = useClient();
  const showMissing = useMissing();
  const list = useRef<MessageListHandle>(null);
  const isLeaving = useRef(false);
  const [jump, setJump] = useState<{ target: Target }>();

  const findUnread = useCallback(
    async ({ after, near = 'latest' }: UnreadMark) => {
      await messages.jumpTo(cid, near);
      // Messages that were marked unread by hand begin before the one that was read last.
      for (let pages = 0; pages < mostPages; pages += 1) {
        const state = channels.state(cid).get();
        if (!state?.hasOlder || (state.messages[0]?.number ?? 0) <= after) return;
        await messages.loadOlder(cid, page);
      }
    },
    [messages, channels, cid],
  );
  const ways = useMemo(() => {
    const arrive = (target: Target) => () => setJump({ target });
    const load = async (id: string) => {
      if (parentId === undefined) await messages.jumpTo(cid, id);
      else if (id !== parentId) await messages.replies.jumpTo(cid, parentId, id);
    };
    return {
      toMessage: (id: string) => {
        // The list gets its target first, so that the loaded page is drawn there at once.
        list.current?.scrollToKey(id);
        load(id).then(arrive({ key: id }), showMissing);
      },
      toUnread: (mark: UnreadMark) => {
        list.current?.scrollToKey('unread');
        findUnread(mark).then(arrive({ key: 'unread' }), showMissing);
      },
      toEnd: () => {
        isLeaving.current = true;
        const go = arrive('end');
        load('latest').then(go, go);
      },
      onLost: (key: string) => {
        if (!isLeaving.current) load(key).catch(() => {});
      },
    };
  }, [messages, cid, parentId, findUnread, showMissing]);

  useEffect(() => {
    if (jump === undefined) return;
    isLeaving.current = false;
    if (jump.target === 'end') return list.current?.scrollToEnd();
    list.current?.scrollToKey(jump.target.key);
    const timer = setTimeout(() => setJump(undefined), highlightMs);
    return () => clearTimeout(timer);
  }, [jump]);
  const lit = jump === undefined || jump.target === 'end' ? undefined : jump.target.key;
  return useMemo(() => ({ list, ...ways, lit }), [ways, lit]);
}

/** Shows that a message could not be found or loaded: a link may lead to one that is gone. */
function useMissing(): (error: unknown) => void {
  const notices = useNotices();
  const text = useTexts(messageTexts);
  return useCallback(
    (error) => {
      const title = text(error instanceof ParleyError ? 'messageGone' : 'couldNotLoad');
      notices.show({ title, tone: 'danger' });
    },
    [notices, text],
  );
}
