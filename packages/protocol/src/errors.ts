import * as texts from './text-values.ts';

/** The whole error table of the wire. Code branches on `name` or `code`, never on the message. */
export const errorTable = {
  ApiKeyInvalid: { code: 2, status: 401, retryable: false, message: 'No app has this API key' },
  InputInvalid: { code: 4, status: 400, retryable: false, message: 'The request is not valid' },
  AuthenticationFailed: { code: 5, status: 401, retryable: false, message: 'Authentication failed' },
  DuplicateId: { code: 6, status: 409, retryable: false, message: 'The id is taken' },
  RateLimited: { code: 9, status: 429, retryable: true, message: 'Too many requests' },
  NotFound: { code: 16, status: 404, retryable: false, message: 'Not found' },
  NotAllowed: { code: 17, status: 403, retryable: false, message: 'Not allowed' },
  MessageBlocked: { code: 20, status: 403, retryable: false, message: 'The message was blocked' },
  PayloadTooLarge: { code: 22, status: 413, retryable: false, message: 'The payload is too large' },
  TokenExpired: { code: 40, status: 401, retryable: true, message: 'The token has expired' },
  TokenNotYetValid: { code: 41, status: 401, retryable: false, message: 'The token is not valid yet' },
  TokenRevoked: { code: 43, status: 401, retryable: false, message: 'The token was revoked' },
  CoolDown: {
    code: 60,
    status: 403,
    retryable: false,
    message: 'Slow mode is on: wait before sending again',
  },
  QueryTooComplex: { code: 70, status: 400, retryable: false, message: 'The query is too complex' },
  Unavailable: {
    code: 90,
    status: 503,
    retryable: true,
    message: 'The server is busy or its database is away: try again',
  },
  AppSuspended: { code: 99, status: 403, retryable: false, message: 'The app is suspended' },
  Internal: { code: -1, status: 500, retryable: true, message: 'Something went wrong on our side' },
} as const;

export type ErrorName = keyof typeof errorTable;
export type ErrorDetail = { path: string; message: string };
export type ErrorBody = {
  code: number;
  name: ErrorName;
  message: string;
  status: number;
  request_id: string;
  details?: ErrorDetail[];
};

/** An error of the wire, on either side of it. */
export class ParleyError extends Error {
  readonly code: number;
  readonly status: number;
  readonly retryable: boolean;
  readonly details: ErrorDetail[] | undefined;
  readonly requestId: string | undefined;
  override readonly name: ErrorName;

  constructor(name: ErrorName, message?: string, details?: ErrorDetail[], requestId?: string) {
    super(message ?? errorTable[name].message);
    this.name = name;
    this.code = errorTable[name].code;
    this.status = errorTable[name].status;
    this.retryable = errorTable[name].retryable;
    this.details = details;
    this.requestId = requestId;
  }
}

/** InputInvalid that names one field. */
export const invalid = (path: string, message: string): ParleyError =>
  new ParleyError('InputInvalid', message, [{ path, message }]);

export { texts };
