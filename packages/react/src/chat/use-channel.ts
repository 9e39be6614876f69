import {
  type ChannelState,
  errorTable,
  type ParleyClient,
  ParleyError,
  selectChannelTitle,
} from '@parley/client';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useOwnId } from './client-provider.tsx';
import { isSame } from './readables.ts';
import { useReadable } from './use-readable.ts';

type Maybe = ChannelState | undefined;

/** The state of a channel, or the result of `select`; undefined until it is loaded. */
export function useChannel<S = Maybe>(
  cid: string,
  select?: (state: Maybe) => S,
  isEqual: (a: S, b: S) => boolean = isSame,
): S {
  const client = useClient();
  const readable = useMemo(() => client.channels.state(cid), [client, cid]);
  return useReadable(readable, select, select ? isEqual : Object.is);
}

/** True when the own user has a capability in a channel. */
export const useCapability = (
  cid: string,
  name: Parameters<ChannelState['capabilities']['has']>[0],
): boolean => useChannel(cid, (state) => state?.capabilities.has(name) ?? false);

/** A list asks for a few messages of each channel; a conversation begins with a page. */
export const firstPage = { limit: 25 };

/** True when only the few messages are loaded that a list shows. */
export const isPreviewed = (state: Maybe): boolean =>
  state?.hasOlder === true && !state.hasNewer && state.messages.length < firstPage.limit;

/** Loads the state by the same call: a query by name finds hidden channels, too. */
const isFound = (client: ParleyClient, cid: string): Promise<boolean> => {
  const list = client.channels.list({ filter: { cid }, limit: 1, messageLimit: firstPage.limit });
  return new Promise<boolean>((resolve, reject) => {
    const look = () => {
      const { status, error, cids } = list.get();
      if (status === 'error') reject(error);
      else if (status === 'ready') resolve(cids.length > 0);
    };
    list.subscribe(look);
    look();
  }).finally(list.stop);
};

/** Opening creates a channel that does not exist; a link to one must not. */
const openExisting = async (client: ParleyClient, cid: string): Promise<void> => {
  if (client.channels.state(cid).get() === undefined && !(await isFound(client, cid)))
    throw new ParleyError('NotFound');
  await client.channels.watch(cid);
  if (isPreviewed(client.channels.state(cid).get())) await client.messages.loadOlder(cid, firstPage);
};

export type Opening = {
  status: 'loading' | 'ready' | 'missing' | 'failed';
  /** Opens the channel again, after it could not be loaded. */
  retry: () => void;
};

const goneCodes: readonly number[] = [errorTable.NotFound.code, errorTable.NotAllowed.code];

/** Loads a channel that exists and keeps it live. */
export function useOpenChannel(cid: string): Opening {
  const client = useClient();
  const isConnected = useOwnId() !== undefined;
  const isLoaded = useChannel(cid, (state) => state !== undefined);
  const isWhole = useChannel(cid, (state) => state !== undefined && !isPreviewed(state));
  const [opened, setOpened] = useState<string>();
  const [failure, setFailure] = useState<{ cid: string; error: unknown }>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` and `isLoaded` are not read: a retry, or a channel that left the store, opens it again
  useEffect(() => {
    if (!isConnected) return;
    let isOver = false;
    setFailure(undefined);
    openExisting(client, cid)
      .catch((error) => {
        if (!isOver) setFailure({ cid, error });
      })
      .finally(() => {
        if (!isOver) setOpened(cid);
      });
    return () => {
      isOver = true;
    };
  }, [client, cid, isConnected, isLoaded, tries]);
  const error = failure?.cid === cid ? failure.error : undefined;
  const isGone = error instanceof ParleyError && goneCodes.includes(error.code);
  // Once loaded it stays so: a list that is truncated later is no reason to wait again.
  const isOpen = isLoaded && (isWhole || opened === cid);
  if (isWhole && opened !== cid) setOpened(cid);
  const status = isOpen ? 'ready' : error === undefined ? 'loading' : isGone ? 'missing' : 'failed';
  return { status, retry: () => setTries((count) => count + 1) };
}

/** The title of a channel: its name, or the names of its other members. */
export function useChannelTitle(cid: string): string {
  return useChannel(cid, (state) => (state ? selectChannelTitle(state) : ''));
}
