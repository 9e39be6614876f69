import type { BodyOf, CallKey, ParamsOf, QueryOf, ReplyOf } from '@parley/protocol';
import { invalid, ParleyError, texts } from '@parley/protocol/errors';
import { fromCid } from '../cid.ts';
import { after, type Environment } from '../environment.ts';
import { parseJson, takeReply } from './error-reply.ts';
import { NetworkError } from './network-error.ts';
import type { QueryFor } from './query.ts';

/** The identity that a request carries. `expired` says whether another token was loaded and the request is worth a retry. */
export type Auth = {
  headers(): Promise<Record<string, string>>;
  expired(used: Record<string, string>): Promise<boolean>;
  accepted(): void;
  /** Changes with the user: what was asked for one must not be answered to the next. */
  session(): unknown;
};

export type HttpOptions = {
  baseUrl: string;
  apiKey: string;
  auth: Auth;
  timeout: number;
  withCredentials: boolean;
  environment: Pick<Environment, 'fetch' | 'clock' | 'random' | 'uuid'>;
};

type QueryValues = Record<string, string | number | boolean | undefined>;
export type RequestOptions = {
  query?: QueryValues | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  timeout?: number;
  /** Sent without a user, as when a guest is created. */
  open?: boolean;
  /** Goes on when the page is closed meanwhile. Browsers refuse more than 64 kB at once of such calls. */
  keepalive?: boolean;
};

type Optional<T, K extends string> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]?: T };
type Given<K extends CallKey> = { path: ParamsOf<K>; cid?: undefined };
type Path<K extends CallKey> = keyof ParamsOf<K> extends never
  ? { path?: undefined; cid?: undefined }
  : K extends `${string} /channels/{type}/{id}${string}`
    ? Given<K> | { cid: string; path?: undefined }
    : Given<K>;
type Body<K extends CallKey> = [BodyOf<K>] extends [undefined]
  ? { body?: undefined }
  : { body: K extends `POST ${string}/query` ? QueryFor<K> : BodyOf<K> };
export type CallOptions<K extends CallKey> = Path<K> &
  Body<K> &
  Optional<QueryOf<K>, 'query'> &
  Omit<RequestOptions, 'query' | 'body'> & { connectionId?: string | undefined; actor?: string | undefined };

type LooseOptions = RequestOptions & {
  path?: Record<string, string> | undefined;
  /** The channel of the path, in place of its two parts. */
  cid?: string | undefined;
  connectionId?: string | undefined;
  actor?: string | undefined;
};

export type Http = {
  /** `http.call('POST /messages/{id}/reaction', { path: { id }, body })`, typed by the protocol. */
  call<K extends CallKey>(key: K, options: CallOptions<K>): Promise<ReplyOf<K>>;
  /** Any request, for what the protocol package does not know. */
  request(verb: string, path: string, options?: RequestOptions): Promise<unknown>;
  /** Calls that are no JSON, such as uploads, read from here where the server is and who asks. */
  readonly wire: HttpOptions;
};

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const maxTokenReloads = 5;

/** An address folds empty parts and dots away: the call would reach another path than it names. */
const fillPath = (pattern: string, path: Record<string, string | undefined>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? '';
    if (/^\.{0,2}$/.test(value)) throw invalid(name, `${name} cannot be "${path[name]}"`);
    return encodeURIComponent(value);
  });

export const baseUrlHint = (baseUrl: string): string =>
  `baseUrl "${baseUrl}" must begin with "https://" or "http://", or on a page with "/"`;

const queryText = (query: QueryValues | undefined): string => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
};

const isTokenExpired = (error: unknown): boolean =>
  error instanceof ParleyError && error.name === 'TokenExpired';

/** A browser says nothing of why it keeps an answer of another origin back. */
const corsHint = (baseUrl: string): string => {
  const own = globalThis.location?.origin;
  return !own || baseUrl.startsWith(`${own}/`) ? '' : ` (it must allow this origin: CORS_ORIGINS=${own})`;
};

/** The longest that an answer may take, in time limits: one that trickles for ever would hold what waits for it. */
const mostLimits = 40;

/** Runs one exchange under a time limit of silence; what ends it early is a NetworkError, never a bare AbortError. */
const exchange = async <T>(
  { environment, timeout, baseUrl }: HttpOptions,
  options: RequestOptions,
  run: (signal: AbortSignal, onBytes: () => void) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timedOut = false;
  let stopTimer = () => {};
  const { clock } = environment;
  const limit = options.timeout ?? timeout;
  const latest = clock.now() + mostLimits * limit;
  const restart = () => {
    stopTimer();
    stopTimer = after(clock, Math.min(limit, latest - clock.now()), () => {
      timedOut = true;
      abort();
    });
  };
  restart();
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted) abort();
  try {
    return await run(controller.signal, restart);
  } catch (cause) {
    if (cause instanceof ParleyError || cause instanceof NetworkError) throw cause;
    throw new NetworkError(
      timedOut
        ? 'The server did not answer in time'
        : `The server at ${baseUrl} could not be reached${corsHint(baseUrl)}`,
      { timedOut, cause },
    );
  } finally {
    stopTimer();
    options.signal?.removeEventListener('abort', abort);
  }
};

/** Each part that comes restarts the time limit: a large answer on a slow network is not silence. */
const textOf = (response: Response, onBytes: () => void): Promise<string> => {
  onBytes();
  // A fetch of another kind has no such streams: its answer is read as a whole.
  const watched = response.body?.pipeThrough?.(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (bytes, to) => {
        onBytes();
        to.enqueue(bytes);
      },
    }),
  );
  return (watched ? new Response(watched) : response).text();
};

const createSender = (http: HttpOptions) => {
  const { environment, baseUrl, apiKey, withCredentials } = http;
  /** The server gives the id of a request back. Once the way here has kept it, an answer without one is another's. */
  let isKept = false;
  return (verb: string, path: string, headers: Record<string, string>, options: RequestOptions) =>
    exchange(http, options, async (signal, onBytes) => {
      const sendsBody = options.body !== undefined;
      const id = environment.uuid();
      const response = await environment.fetch(`${baseUrl}${path}${queryText(options.query)}`, {
        method: verb,
        credentials: withCredentials ? 'include' : 'same-origin',
        signal,
        keepalive: options.keepalive === true,
        headers: {
          ...headers,
          ...(sendsBody ? { 'content-type': 'application/json' } : {}),
          'x-api-key': apiKey,
          'x-client-request-id': id,
        },
        ...(sendsBody ? { body: JSON.stringify(options.body) } : {}),
      });
      const requestId = response.headers.get('x-request-id');
      isKept ||= requestId === id;
      return takeReply({
        ...{ status: response.status, baseUrl, requestId, isForeign: isKept && !requestId },
        body: parseJson(await textOf(response, onBytes)),
      });
    });
};

export const createHttp = (http: HttpOptions): Http => {
  const send = createSender(http);
  const { auth } = http;

  const request: Http['request'] = async (verb, path, options = {}) => {
    const method = verb.toUpperCase();
    if (!verbs.includes(method)) throw new Error(texts.requestTypeInvalid);
    // On a page the path was made an address; a server that renders one may make a client, and never connects.
    if (http.baseUrl.startsWith('/')) throw invalid('baseUrl', baseUrlHint(http.baseUrl));
    const session = auth.session();
    const sameSession = () => options.open || auth.session() === session;
    for (let reloads = 0; ; reloads += 1) {
      const headers = options.open ? {} : await auth.headers();
      try {
        const reply = await send(method, path, headers, options);
        if (!sameSession()) throw new Error(texts.userNotSet);
        if (!options.open) auth.accepted();
        return reply;
      } catch (error) {
        if (options.open || !isTokenExpired(error) || reloads >= maxTokenReloads || !sameSession())
          throw error;
        if (!(await auth.expired(headers))) throw error;
      }
    }
  };

  return {
    request,
    wire: http,
    call: async <K extends CallKey>(key: K, options: CallOptions<K>) => {
      const space = key.indexOf(' ');
      const {
        cid,
        path = 'cid' in options ? fromCid(cid as string) : {},
        ...given
      } = options as LooseOptions;
      const { body, query, connectionId, actor, ...rest } = given;
      const reply = await request(key.slice(0, space), fillPath(key.slice(space + 1), path), {
        ...rest,
        body,
        query: { ...query, connection_id: connectionId, user_id: actor },
      });
      return reply as ReplyOf<K>;
    },
  };
};
