import {
  type BodyOf,
  type CallKey,
  callMethod,
  callPath,
  calls,
  type ErrorBody,
  type ParamsOf,
  type ReplyOf,
} from '@parley/protocol';
import { Errors } from 'typebox/value';

export type CallInput<K extends CallKey> = {
  path?: ParamsOf<K>;
  query?: Record<string, string>;
  body?: BodyOf<K>;
};

export type RawReply = { status: number; headers: Headers; body: unknown };

export type Caller = {
  /** The reply of a good call; anything else fails the test with the error's text. */
  call<K extends CallKey>(key: K, input?: CallInput<K>): Promise<ReplyOf<K>>;
  /** The error of a bad call; a good reply fails the test. */
  refused<K extends CallKey>(
    key: K,
    input?: { path?: ParamsOf<K>; query?: Record<string, string>; body?: unknown },
  ): Promise<ErrorBody>;
  raw(method: string, path: string, init?: RequestInit): Promise<RawReply>;
};

type Options = { baseUrl: string; apiKey: string; token(): Promise<string> };

const fill = (path: string, values: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

const checkReply = (key: CallKey, body: unknown): void => {
  const [problem] = Errors(calls[key].reply, body);
  if (problem)
    throw new Error(
      `The reply of ${key} does not fit its schema: ${problem.instancePath} ${problem.message}`,
    );
};

export const createCaller = async ({ baseUrl, apiKey, token }: Options): Promise<Caller> => {
  const headers = { 'x-api-key': apiKey, authorization: await token() };

  const raw: Caller['raw'] = async (method, path, init = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      method,
      headers: {
        ...headers,
        ...(init.body ? { 'content-type': 'application/json' } : {}),
        ...(init.headers as Record<string, string>),
      },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };

  const send = (
    key: CallKey,
    input: { path?: Record<string, string>; query?: Record<string, string>; body?: unknown },
  ) => {
    const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
    const method = callMethod(key);
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    return raw(method, `${fill(callPath(key), input.path)}${query}`, body === undefined ? {} : { body });
  };

  return {
    raw,
    async call(key, input = {}) {
      const { status, body } = await send(key, input);
      if (status >= 400) throw new Error(`${key} answered ${status}: ${(body as ErrorBody).message}`);
      checkReply(key, body);
      return body as ReplyOf<typeof key>;
    },
    async refused(key, input = {}) {
      const { status, body } = await send(key, input);
      if (status < 400) throw new Error(`${key} was not refused: ${status}`);
      return body as ErrorBody;
    },
  };
};
