import {
  type ClientOptions,
  createClient,
  type ParleyClient,
  type TokenProvider,
  type UserInput,
} from '@parley/client';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react';

export type ConnectOptions = {
  apiKey: string;
  baseUrl?: string;
  /** With a token, this user connects; without one, a guest of this name; without a user, an anonymous visitor. */
  user?: UserInput;
  token?: string | TokenProvider;
  /** Read once, when the client is made. */
  options?: Omit<ClientOptions, 'apiKey' | 'baseUrl'>;
};

export type ConnectedClient = {
  client: ParleyClient;
  /** The reason why the connection was refused; a lost one is not an error but a state. */
  error: Error | undefined;
  /** Retries at once instead of after the pause. */
  retry: () => void;
};

/** A client that is connected while the component is mounted; mounting twice, as Strict Mode does, opens one socket. */
export function useConnectClient(given: ConnectOptions): ConnectedClient {
  const { apiKey, baseUrl, user, token } = given;
  const [error, setError] = useState<Error>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `options` is mostly an object made anew in each drawing, and is read once, as its comment says
  const client = useMemo(
    () => createClient({ ...given.options, apiKey, ...(baseUrl && { baseUrl }) }),
    [apiKey, baseUrl],
  );
  const connect = useEffectEvent(() => {
    if (user === undefined) return client.connectAnonymous();
    return token === undefined ? client.connectGuest(user) : client.connectUser(user, token);
  });
  const who = user === undefined ? '' : `${token === undefined ? 'guest' : 'user'} ${user.id}`;
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) connect().catch(() => {});
  }, [tries]);
  // A layout effect: the effects of the screen may ask for something at once, where its user is known before the connection.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `who` stands for user and token: an object made anew in each drawing is the same person
  useLayoutEffect(() => {
    let isOver = false;
    setError(undefined);
    connect().catch((reason: Error) => {
      if (!isOver && client.connection.get().status === 'disconnected') setError(reason);
    });
    return () => {
      isOver = true;
      void client.disconnect();
    };
  }, [client, who]);
  const retry = useCallback(() => setTries((count) => count + 1), []);
  return { client, error, retry };
}
