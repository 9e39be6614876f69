import type { ConnectFrame, ServerEvent } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { times } from '@parley/protocol/limits';
import { after, type Clock, type Environment, type Socket } from '../environment.ts';
import { errorFromBody, parseJson } from '../http/error-reply.ts';
import { causeOfClose, causeOfError, type OpenTransport, type TransportListener } from './transport.ts';

type Options = { url: string; clock: Clock; WebSocket: Environment['WebSocket'] };

const heartbeat = '{"type":"health.check"}';
const openState = 1;

/** Sends a beat every 25 s and calls `dead` after 40 s without a frame. */
const createPulse = (clock: Clock, beat: () => void, dead: () => void) => {
  let receivedAt = clock.now();
  let stop = () => {};
  const isSilent = (ms: number) => clock.now() - receivedAt >= ms;
  const wait = () => {
    const untilDead = receivedAt + times.silence - clock.now();
    stop = after(clock, Math.min(times.clientHeartbeat, Math.max(0, untilDead)), () => {
      if (isSilent(times.silence)) return dead();
      beat();
      wait();
    });
  };
  wait();
  return {
    received: () => {
      receivedAt = clock.now();
    },
    /** Timers sleep with the page: the silence may be over its limit already. */
    probe: () => (isSilent(times.silence) ? dead() : beat()),
    stop: () => stop(),
  };
};

const readFrame = (data: unknown): ServerEvent | undefined =>
  typeof data === 'string' ? (parseJson(data) as ServerEvent | undefined) : undefined;

const makeSocket = ({ WebSocket, url }: Options): Socket | undefined => {
  try {
    return WebSocket && new WebSocket(url);
  } catch {
    return undefined;
  }
};

export const createWsTransport =
  (options: Options): OpenTransport =>
  ({ token, payload }, listener) => {
    const { clock } = options;
    const socket = makeSocket(options);
    if (!socket) {
      listener.lost('blocked', new Error('WebSockets are not available here'));
      return { close: () => {}, probe: () => {} };
    }
    let isSaid = false;
    let isOver = false;
    const beat = () => {
      if (socket.readyState === openState) socket.send(heartbeat);
    };
    const end = () => {
      isOver = true;
      pulse.stop();
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
      // The browser reports a socket closed before it opened as an error; nobody is interested any more.
      socket.onerror = () => {};
      socket.close();
    };
    const lose: TransportListener['lost'] = (cause, error) => {
      if (isOver) return;
      end();
      listener.lost(cause, error);
    };
    const pulse = createPulse(clock, beat, () => lose('dropped', new Error('The connection fell silent')));
    const welcome = (event: ServerEvent) => {
      if (event.type === 'connection.error') {
        const error = errorFromBody(event.error) ?? new ParleyError('AuthenticationFailed');
        return lose(causeOfError(error), error);
      }
      if (event.type !== 'health.check' || !event.connection_id || !event.me) return;
      isSaid = true;
      listener.hello({ connectionId: event.connection_id, me: event.me }, 'ws');
    };
    socket.onopen = () => {
      const frame: ConnectFrame = {
        type: 'connect',
        auth_type: token === undefined ? 'anonymous' : 'jwt',
        ...(token === undefined ? {} : { token }),
        payload,
      };
      socket.send(JSON.stringify(frame));
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      pulse.received();
      const event = readFrame(data);
      if (!event) return;
      if (!isSaid || event.type === 'connection.error') return welcome(event);
      listener.event(event);
    };
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }: { code: number; reason?: string }) => {
      const error = new Error(`The connection was closed (${code}${reason ? ` ${reason}` : ''})`);
      const cause = causeOfClose(code);
      lose(cause === 'dropped' && !isSaid ? 'blocked' : cause, error);
    };
    return { close: () => void (isOver || end()), probe: pulse.probe };
  };
