import { type ErrorName, errorTable, useErrorMessages } from './errors.ts';

/** The message of an error that was given none. Apart from the table, so that no browser loads it. */
const errorMessages: Record<ErrorName, string> = {
  ApiKeyInvalid: 'No app has this API key',
  InputInvalid: 'The request is not valid',
  AuthenticationFailed: 'Authentication failed',
  DuplicateId: 'The id is taken',
  RateLimited: 'Too many requests',
  NotFound: 'Not found',
  NotAllowed: 'Not allowed',
  MessageBlocked: 'The message was blocked',
  PayloadTooLarge: 'The payload is too large',
  TokenExpired: 'The token has expired',
  TokenNotYetValid: 'The token is not valid yet',
  TokenRevoked: 'The token was revoked',
  CoolDown: 'Slow mode is on: wait before sending again',
  QueryTooComplex: 'The query is too complex',
  Unavailable: 'The server is busy or its database is away: try again',
  AppSuspended: 'The app is suspended',
  Internal: 'Something went wrong on our side',
};

useErrorMessages(errorMessages);

const messages: Readonly<Record<string, string>> = errorMessages;

/** Every error with the message that it has by itself, in the order of the table. */
export const errorList = Object.entries(errorTable).map(([name, error]) => ({
  name,
  ...error,
  message: messages[name] ?? '',
}));
