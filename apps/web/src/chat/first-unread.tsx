import type { ParleyClient } from '@parley/client';
import { useChannel, useClient, useUnreadMark } from '@parley/react';
import { useEffect } from 'react';
import { hrefOf } from './channel-link.ts';
import type { MessageSpot } from './message-spot.ts';
import type { UnreadWay } from './unread-way.ts';

type Mark = NonNullable<ReturnType<typeof useUnreadMark>>;

const page = { limit: 100 };
const mostPages = 5;

/** Finds the first message after the one that was read last; it may have to be loaded. */
const findFirstUnread = async (
  client: ParleyClient,
  cid: string,
  { after, near }: Mark,
): Promise<MessageSpot | undefined> => {
  const state = () => client.channels.state(cid).get();
  const isAbove = () => state()?.hasOlder && (state()?.messages[0]?.number ?? 0) > after + 1;
  if (isAbove() && near !== undefined) await client.messages.jumpTo(cid, near);
  for (let pages = 0; pages < mostPages && isAbove(); pages += 1) await client.messages.loadOlder(cid, page);
  return state()?.messages.find(({ number = 0 }) => number > after);
};

export type FirstUnreadProps = {
  cid: string;
  /** Gets the way to the message. */
  way: UnreadWay;
  jumpTo: (message: MessageSpot) => void;
};

/** Keeps the way to the first message that was unread when the conversation was opened. Needs the `cid` as its key. */
export function FirstUnread(props: FirstUnreadProps) {
  return useChannel(props.cid, (state) => state !== undefined) && <Found {...props} />;
}

function Found({ cid, way, jumpTo }: FirstUnreadProps) {
  const client = useClient();
  const mark = useUnreadMark(cid);
  useEffect(() => {
    const go = async () => {
      // Nothing was unread.
      if (mark === undefined) return;
      const message = await findFirstUnread(client, cid, mark).catch(() => undefined);
      if (message) jumpTo(message);
    };
    return way.set(hrefOf(cid), () => void go());
  }, [client, cid, mark, way, jumpTo]);
  return null;
}
