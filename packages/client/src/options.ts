import { invalid } from '@parley/protocol/errors';
import { limits, times } from '@parley/protocol/limits';
import type { Environment } from './environment.ts';
import { baseUrlHint } from './http/http.ts';
import type { Log } from './log.ts';

export type ClientOptions = {
  apiKey: string;
  /** Default: `/api` of the page's own origin. */
  baseUrl?: string | URL;
  /** Sends cookies to another origin. Default false. */
  withCredentials?: boolean;
  /** Opens the network path to the server before the first call. Default false. */
  warmUp?: boolean;
  /** Asks the server each time a channel is opened, live or not. Default false. */
  disableCache?: boolean;
  /** Default true. Off: channels are stale after a reconnect until they are opened again. */
  recoverStateOnReconnect?: boolean;
  /** Default true. */
  enableLongPollFallback?: boolean;
  /** Default true: after a failed first connection the user stays set and the client goes on trying. */
  keepUserOnConnectFailure?: boolean;
  httpTimeout?: number;
  wsTimeout?: number;
  /** Messages a page. Default 10. */
  pageSize?: number;
  /** Messages kept per list. Default 200. */
  windowSize?: number;
  /** Users kept. Default 10 000; zero is refused. */
  userCacheSize?: number;
  device?: { id: string };
  environment?: Partial<Environment>;
  log?: Log;
};

/** The options with every default filled in; what the environment gives is not among them. */
export const withDefaults = (options: ClientOptions) => {
  if (!options?.apiKey) throw invalid('apiKey', 'createClient needs { apiKey }');
  for (const name of ['pageSize', 'windowSize', 'httpTimeout', 'wsTimeout'] as const)
    if (!((options[name] ?? 1) > 0)) throw invalid(name, `${name} must be above 0, not ${options[name]}`);
  const fallback = options.enableLongPollFallback ?? true;
  const page = typeof location === 'undefined' ? undefined : location;
  const baseUrl = String(options.baseUrl ?? '/api').replace(/\/+$/, '');
  if (!/^(https?:\/)?\/./.test(baseUrl)) throw invalid('baseUrl', baseUrlHint(baseUrl));
  return {
    apiKey: options.apiKey,
    baseUrl: baseUrl.startsWith('/') && page ? `${page.origin}${baseUrl}` : baseUrl,
    withCredentials: options.withCredentials ?? false,
    warmUp: options.warmUp ?? false,
    recovers: options.recoverStateOnReconnect ?? true,
    fallback,
    keepUserOnFailure: options.keepUserOnConnectFailure ?? true,
    httpTimeout: options.httpTimeout ?? times.httpTimeout,
    wsTimeout: options.wsTimeout ?? (fallback ? times.wsTimeoutWithFallback : times.wsTimeout),
    userCacheSize: options.userCacheSize ?? 10_000,
    device: options.device,
    settings: {
      pageSize: options.pageSize ?? limits.pageDefault,
      windowSize: options.windowSize ?? 200,
      disableCache: options.disableCache ?? false,
    },
  };
};
export type Defaulted = ReturnType<typeof withDefaults>;
