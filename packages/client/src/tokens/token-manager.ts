import { ParleyError } from '@parley/protocol/errors';
import { backoff } from '../backoff.ts';
import { after, type Environment } from '../environment.ts';

export type TokenProvider = () => Promise<string> | string;

/** The token of one signed-in user. It dies with its session: a reload that comes back later is dropped. */
export type TokenManager = {
  readonly isStatic: boolean;
  get(): Promise<string>;
  /** Asks the provider again, once for all who wait; `used` is the token that was refused. */
  reload(used?: string): Promise<string>;
  /** The server took the token: the count of failures starts anew. */
  accepted(): void;
  dispose(): void;
};

const gone = () => new Error('The session of this token has ended');

export const createTokenManager = (
  given: string | TokenProvider,
  { clock, random }: Pick<Environment, 'clock' | 'random'>,
): TokenManager => {
  // Nothing at all is refused where a function that returns nothing is.
  const source = given || (() => '');
  let token = typeof source === 'string' ? source : undefined;
  let pending: Promise<string> | undefined;
  let failures = 0;
  let isDisposed = false;
  const stops = new Set<() => void>();

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        stops.delete(stop);
        resolve();
      };
      const cancel = after(clock, ms, done);
      const stop = () => {
        cancel();
        done();
      };
      stops.add(stop);
    });

  const load = async (provider: TokenProvider): Promise<string> => {
    if (failures > 1) await pause(backoff(failures - 1, random()));
    if (isDisposed) throw gone();
    const loaded = await provider();
    if (isDisposed) throw gone();
    // Without a token the server would take the caller for an anonymous visitor.
    if (!loaded)
      throw new ParleyError('AuthenticationFailed', 'There is no token, or its function returned none');
    token = loaded;
    return loaded;
  };

  const loadOnce = (provider: TokenProvider): Promise<string> => {
    pending ??= load(provider).finally(() => {
      pending = undefined;
    });
    return pending;
  };

  return {
    isStatic: typeof source === 'string',
    get: async () => {
      if (isDisposed) throw gone();
      if (token !== undefined) return token;
      if (typeof source === 'string') return source;
      return loadOnce(source);
    },
    reload: async (used) => {
      if (isDisposed) throw gone();
      if (typeof source === 'string') return source;
      // Another caller has already replaced the refused token.
      if (!pending && used !== undefined && token !== undefined && token !== used) return token;
      if (!pending) failures += 1;
      return loadOnce(source);
    },
    accepted: () => {
      failures = 0;
    },
    dispose: () => {
      isDisposed = true;
      token = undefined;
      for (const stop of [...stops]) stop();
    },
  };
};
