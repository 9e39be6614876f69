import {
  type ChannelState,
  errorTable,
  type ParleyClient,
  ParleyError,
  selectChannelTitle,
} from '@parley/client';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useMe } from '../../chat/chat-provider.tsx';
import { isSame } from '../../chat/is-same.ts';
import { useReadable } from '../../chat/use-readable.ts';

type Maybe = ChannelState | undefined;

/** The state of a channel, or what `select` makes of it; undefined until it is loaded. */
export function useChannel<S = Maybe>(
  cid: string,
  select?: (state: Maybe) => S,
  isEqual: (a: S, b: S) => boolean = isSame,
): S {
  const client = useClient();
  const readable = useMemo(() => client.channels.state(cid), [client, cid]);
  return useReadable(readable, select, select ? isEqual : Object.is);
}

/** Opening makes a channel that is not there; a link to one must not. */
const openExisting = async (client: ParleyClient, cid: string): Promise<void> => {
  if (client.channels.state(cid).get() === undefined) {
    const body = { filter: { cid }, limit: 1, state: false };
    const { channels } = await client.http.call('POST /channels', { body });
    if (channels.length === 0) throw new ParleyError('NotFound');
  }
  await client.channels.watch(cid);
};

export type Opening = { status: 'loading' | 'ready' | 'missing' | 'failed'; retry: () => void };

const goneCodes: readonly number[] = [errorTable.NotFound.code, errorTable.NotAllowed.code];

/** Loads a channel that exists and keeps it live. */
export function useOpenChannel(cid: string): Opening {
  const client = useClient();
  const isConnected = useMe() !== undefined;
  const isLoaded = useChannel(cid, (state) => state !== undefined);
  const [failure, setFailure] = useState<{ cid: string; error: unknown }>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` and `isLoaded` are not read: a retry, or a channel that left the store, opens it again
  useEffect(() => {
    if (!isConnected) return;
    let isOver = false;
    setFailure(undefined);
    openExisting(client, cid).catch((error) => {
      if (!isOver) setFailure({ cid, error });
    });
    return () => {
      isOver = true;
    };
  }, [client, cid, isConnected, isLoaded, tries]);
  const error = failure?.cid === cid ? failure.error : undefined;
  const isGone = error instanceof ParleyError && goneCodes.includes(error.code);
  const status = isLoaded ? 'ready' : error === undefined ? 'loading' : isGone ? 'missing' : 'failed';
  return { status, retry: () => setTries((count) => count + 1) };
}

export function useChannelTitle(cid: string): string {
  return useChannel(cid, (state) => (state ? selectChannelTitle(state) : ''));
}
