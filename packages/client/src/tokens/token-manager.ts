import { ParleyError } from '@parley/protocol/errors';
import { backoff } from '../backoff.ts';
import { after, type Clock, type Environment } from '../environment.ts';
import { NetworkError } from '../http/network-error.ts';

export type TokenProvider = () => Promise<string> | string;

/** The token of one signed-in user. It dies with its session: a reload that comes back later is dropped. */
export type TokenManager = {
  readonly isStatic: boolean;
  get(): Promise<string>;
  /** Asks the provider again, once for all who wait; `used` is the token that was refused. */
  reload(used?: string): Promise<string>;
  /** The server took the token: the count of failures starts anew. */
  accepted(): void;
  stop(): void;
};

/** A function that fetches without a limit of its own would hold up every call and every reconnect. */
const patience = 30_000;

/** Refuses what is neither a token nor, where there is a choice, a function that gives one. */
export function checkToken(given: unknown, kinds = /string/): asserts given is string {
  if (!kinds.test(typeof given))
    throw new ParleyError('InputInvalid', `A token is a string or a function that gives one, not ${given}`);
}

const gone = () => new Error('The session of this token has ended');

const createWaits = (clock: Clock) => {
  const stops = new Set<() => void>();
  /** Runs `then` after so long, or when the session ends; returns its stop. */
  const wait = (ms: number, then: () => void): (() => void) => {
    const cancel = () => {
      stopTimer();
      stops.delete(end);
    };
    const end = () => {
      cancel();
      then();
    };
    const stopTimer = after(clock, ms, end);
    stops.add(end);
    return cancel;
  };
  const endAll = () => {
    for (const stop of [...stops]) stop();
  };
  return { wait, endAll };
};

type Waits = ReturnType<typeof createWaits>;

/** The token of the provider; rejects after a time limit, or when the session ends. */
const inTime = async (provider: TokenProvider, wait: Waits['wait']): Promise<unknown> => {
  let stop = () => {};
  const late = new Promise((_, reject) => {
    const error = new NetworkError('The token function did not answer in time', { timedOut: true });
    stop = wait(patience, () => reject(error));
  });
  try {
    return await Promise.race([provider(), late]);
  } finally {
    stop();
  }
};

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
  const { wait, endAll } = createWaits(clock);

  const load = async (provider: TokenProvider): Promise<string> => {
    if (failures > 1) await new Promise<void>((resolve) => wait(backoff(failures - 1, random()), resolve));
    if (isDisposed) throw gone();
    const loaded = await inTime(provider, wait).catch((error: unknown) => {
      throw isDisposed ? gone() : error;
    });
    if (isDisposed) throw gone();
    // Without a token the server would take the caller for an anonymous visitor.
    if (!loaded)
      throw new ParleyError('AuthenticationFailed', 'There is no token, or its function returned none');
    checkToken(loaded);
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
    stop: () => {
      isDisposed = true;
      token = undefined;
      endAll();
    },
  };
};
