import * as texts from './text-values.ts';

/** The whole error table of the wire. Code branches on `name` or `code`, never on the message; error-messages.ts has what each says. */
export const errorTable = {
  ApiKeyInvalid: { code: 2, status: 401, retryable: false },
  InputInvalid: { code: 4, status: 400, retryable: false },
  AuthenticationFailed: { code: 5, status: 401, retryable: false },
  DuplicateId: { code: 6, status: 409, retryable: false },
  RateLimited: { code: 9, status: 429, retryable: true },
  NotFound: { code: 16, status: 404, retryable: false },
  NotAllowed: { code: 17, status: 403, retryable: false },
  MessageBlocked: { code: 20, status: 403, retryable: false },
  PayloadTooLarge: { code: 22, status: 413, retryable: false },
  TokenExpired: { code: 40, status: 401, retryable: true },
  TokenNotYetValid: { code: 41, status: 401, retryable: false },
  TokenRevoked: { code: 43, status: 401, retryable: false },
  CoolDown: { code: 60, status: 403, retryable: false },
  QueryTooComplex: { code: 70, status: 400, retryable: false },
  Unavailable: { code: 90, status: 503, retryable: true },
  AppSuspended: { code: 99, status: 403, retryable: false },
  Internal: { code: -1, status: 500, retryable: true },
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

let defaultMessages: Partial<Record<ErrorName, string>> = {};
/** Gives errors that are thrown without a message one of their own. Clients do without: theirs come from the server. */
export const useErrorMessages = (messages: Record<ErrorName, string>): void => {
  defaultMessages = messages;
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
    super(message ?? defaultMessages[name] ?? name);
    this.name = name;
    ({ code: this.code, status: this.status, retryable: this.retryable } = errorTable[name]);
    this.details = details;
    this.requestId = requestId;
  }
}

/** Words such as "must be a number" get the name of their field; a whole sentence stands alone. */
export const fieldText = (path: string, message: string): string =>
  /^(must|is|are|names|may|cannot|takes) /.test(message) ? `${path}: ${message}` : message;

/** InputInvalid that names one field. */
export const invalid = (path: string, message: string): ParleyError =>
  new ParleyError('InputInvalid', fieldText(path, message), [{ path, message }]);

export { texts };
