import { type ErrorBody, type ErrorName, errorTable, ParleyError } from '@parley/protocol/errors';
import { NetworkError } from './network-error.ts';

const isName = (name: unknown): name is ErrorName =>
  typeof name === 'string' && Object.hasOwn(errorTable, name);

type Given = Partial<Omit<ErrorBody, 'request_id'>> & { request_id?: string | null };

/** The error in a body of our server; undefined for any other body. */
export const errorFromBody = (body: unknown, requestId?: string | null): ParleyError | undefined => {
  const { name, message, details, request_id = requestId }: Given = Object(body);
  if (!isName(name)) return undefined;
  return new ParleyError(
    name,
    message,
    Array.isArray(details) ? details : undefined,
    request_id ?? undefined,
  );
};

export const notOurs = (status?: number): string =>
  `The answer${status ? ` (${status})` : ''} is not of a Parley server`;

type Answer = {
  status: number;
  body: unknown;
  baseUrl: string;
  requestId?: string | null;
  isForeign?: boolean;
};

/**
 * The body of an answer, or the error it says. A portal or a gateway that answers in place of the server refuses
 * nothing: the call may succeed later. Only what is too large for a gateway stays too large.
 */
export const takeReply = ({ status, body, baseUrl, requestId, isForeign }: Answer): unknown => {
  if (!isForeign && status >= 200 && status < 300 && Object(body) === body) return body;
  const error = errorFromBody(body, requestId);
  const hint = `: is "${baseUrl}" its API, ending in "/api"?`;
  if (error) {
    if (/^No such call/.test(error.message)) error.message += hint;
    throw error;
  }
  if (status === 413) throw new ParleyError('PayloadTooLarge', notOurs(status));
  throw new NetworkError(notOurs(status) + (status < 500 ? hint : ''));
};

/** Undefined for what is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
