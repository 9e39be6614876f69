import type { ConnectPayload, OwnUser, ServerEvent } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { closeCodes } from '@parley/protocol/limits';
import type { LossCause, TransportKind } from './machine.ts';

export type Hello = { connectionId: string; me: OwnUser };

/** The listener of a transport; it is not called after `lost` or `close`. */
export type TransportListener = {
  /** Again, when it has moved to another connection by itself. */
  hello(hello: Hello, transport: TransportKind): void;
  event(event: ServerEvent): void;
  lost(cause: LossCause, error?: Error): void;
};

export type TransportHandle = {
  close(): Promise<void> | void;
  /** Proves that the connection still lives, after the page was asleep. */
  probe(): void;
};

export type OpenOptions = { token: string | undefined; payload: ConnectPayload };
export type OpenTransport = (options: OpenOptions, listener: TransportListener) => TransportHandle;

export const causeOfError = (error: Error): LossCause => {
  if (!(error instanceof ParleyError)) return 'dropped';
  if (error.name === 'TokenExpired') return 'token-expired';
  return error.retryable ? 'dropped' : 'refused';
};

export const causeOfClose = (code: number): LossCause => {
  if (code === closeCodes.tokenExpired) return 'token-expired';
  if (code === closeCodes.authentication) return 'refused';
  return code === closeCodes.goingAway ? 'going-away' : 'dropped';
};
