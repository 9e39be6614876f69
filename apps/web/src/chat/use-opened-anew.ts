import { useClient } from '@parley/react';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * A key for the open conversation. It changes when the connection brings unread messages to one that was drawn as this device had
 * kept it: the conversation is then opened anew, at the first of them, as on a visit without a kept screen.
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
    const stop = client.on('connection.recovered', () => {
      stop();
      look();
    });
    return stop;
  }, [client]);
  return cid !== undefined && anew === cid ? `${cid} anew` : cid;
}
