import type { ServerEvent } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { times } from '@parley/protocol/limits';
import type { Http } from '../http/http.ts';
import { causeOfError, type OpenTransport, type TransportListener } from './transport.ts';

/** Longer than the server waits, so that an answer without events still arrives. */
const pollTimeout = times.longPollWait + 10_000;

const poll = async (http: Http, connectionId: string, signal: AbortSignal, listener: TransportListener) => {
  let ack = 0;
  while (!signal.aborted) {
    const reply = await http.call('POST /longpoll', {
      body: { connection_id: connectionId, ack },
      timeout: pollTimeout,
      signal,
    });
    if (signal.aborted) return;
    for (const event of reply.events) listener.event(event as ServerEvent);
    ack = reply.last ?? ack;
  }
};

/** Carries events where WebSockets are blocked; the requests authenticate as any other call does. */
export const createLongpollTransport =
  (http: Http): OpenTransport =>
  ({ payload }, listener) => {
    const controller = new AbortController();
    let connectionId: string | undefined;
    const run = async () => {
      const opened = await http.call('POST /longpoll', { body: { payload }, signal: controller.signal });
      connectionId = opened.connection_id;
      if (controller.signal.aborted) return void leave();
      if (connectionId === undefined || !opened.me) throw new Error('The server opened no connection');
      listener.hello({ connectionId, me: opened.me });
      for (const event of opened.events) listener.event(event as ServerEvent);
      await poll(http, connectionId, controller.signal, listener);
    };
    const leave = async () => {
      if (connectionId === undefined) return;
      const query = { connection_id: connectionId };
      connectionId = undefined;
      await http.call('DELETE /longpoll', { query }).catch(() => {});
    };
    run().catch((error: Error) => {
      if (controller.signal.aborted) return;
      controller.abort();
      const isRefused = error instanceof ParleyError && connectionId === undefined;
      listener.lost(isRefused ? causeOfError(error) : 'dropped', error);
    });
    return {
      close: () => {
        controller.abort();
        return leave();
      },
      probe: () => {},
    };
  };
