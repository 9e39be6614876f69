import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import type { MessageListHandle } from './use-anchored-list.ts';

const litFor = 2600;

export type Jumps = {
  list: RefObject<MessageListHandle | null>;
  toMessage: (id: string) => void;
  toEnd: () => void;
  /** The message that was jumped to a moment ago. */
  lit: string | undefined;
};

type Target = { id: string } | 'end';

/** Jumps within a list: what is asked for is loaded first, and scrolled to once it is drawn. */
export function useJump(cid: string): Jumps {
  const { messages } = useClient();
  const list = useRef<MessageListHandle>(null);
  const [jump, setJump] = useState<{ target: Target }>();
  const toMessage = useCallback(
    (id: string) => {
      const go = () => setJump({ target: { id } });
      // Said first, so that what is loaded is drawn there at once.
      list.current?.scrollToKey(id);
      messages.jumpTo(cid, id).then(go, () => {});
    },
    [messages, cid],
  );
  const toEnd = useCallback(() => {
    const go = () => setJump({ target: 'end' });
    messages.jumpTo(cid, 'latest').then(go, go);
  }, [messages, cid]);
  useEffect(() => {
    if (jump === undefined) return;
    if (jump.target === 'end') return list.current?.scrollToEnd();
    list.current?.scrollToKey(jump.target.id);
    const timer = setTimeout(() => setJump(undefined), litFor);
    return () => clearTimeout(timer);
  }, [jump]);
  const lit = jump === undefined || jump.target === 'end' ? undefined : jump.target.id;
  return { list, toMessage, toEnd, lit };
}
