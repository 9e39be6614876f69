import { useClient } from '@parley/react';
import { useEffect, useEffectEvent, useState } from 'react';

/** Acts of a reader in the conversation: to write, to press a button such as the one to the unread messages, to scroll. */
const acts = ['input', 'pointerdown', 'keydown', 'wheel'];

const isInConversation = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('main') !== null;

/**
 * A key for the open conversation. It changes when the connection brings unread messages to one that was drawn as this device had
 * kept it: the conversation is then opened anew, at the first of them, as on a visit without a kept screen. A user who has begun to
 * write keeps the field, with its caret and the keyboard of a phone, and one who has begun to read keeps the place.
 */
export function useOpenedAnew(cid: string | undefined): string | undefined {
  const client = useClient();
  const [anew, setAnew] = useState<string>();
  const look = useEffectEvent(() => {
    if (cid !== undefined && (client.channels.state(cid).get()?.unread ?? 0) > 0) setAnew(cid);
  });
  useEffect(() => {
    // Drawn from a connection, it shows the unread messages already.
    if (client.connection.get().status === 'online') return;
    const waiting = new AbortController();
    let isInUse = false;
    const use = (event: Event) => {
      isInUse ||= isInConversation(event);
    };
    for (const type of acts)
      document.addEventListener(type, use, { capture: true, passive: true, signal: waiting.signal });
    const catchUp = () => {
      if (!isInUse) look();
    };
    // The list may bring them before all is recovered, and they would count as read at once.
    const channel = cid === undefined ? undefined : client.channels.state(cid);
    const before = channel?.get()?.unread ?? 0;
    const stopChannel = channel?.subscribe(() => {
      if ((channel.get()?.unread ?? 0) > before) catchUp();
    });
    const stop = client.on('connection.recovered', () => {
      leave();
      catchUp();
    });
    const leave = () => {
      stopChannel?.();
      stop();
      waiting.abort();
    };
    return leave;
  }, [client, cid]);
  return cid !== undefined && anew === cid ? `${cid} anew` : cid;
}
