/** Carries events where WebSockets are blocked; loaded when it is first needed. */
import type { Clock } from '../environment.ts';
import type { Http } from '../http/http.ts';
import type { LossCause } from './machine.ts';
import type { OpenOptions, OpenTransport, TransportHandle, TransportListener } from './transport.ts';

/** All values come in from outside: what this file imported would be taken out of the entry into a third file. */
export type LongpollOptions = {
  http: Http;
  clock: Clock;
  /** Longer than the server waits, so that an answer without events still arrives. */
  pollTimeout: number;
  causeOf(error: Error): LossCause;
  /** Tried beside the polls, which end once it says hello; undefined where there are no WebSockets. */
  socket: OpenTransport | undefined;
  socketTimeout: number;
  token(): Promise<string | undefined>;
};

const firstPause = 60_000;
const longestPause = 30 * 60_000;

const poll = async (
  { http, pollTimeout }: LongpollOptions,
  connectionId: string,
  signal: AbortSignal,
  listener: TransportListener,
) => {
  let ack = 0;
  while (!signal.aborted) {
    const reply = await http.call('POST /longpoll', {
      body: { connection_id: connectionId, ack },
      timeout: pollTimeout,
      signal,
    });
    if (signal.aborted) return;
    for (const event of reply.events) listener.event(event);
    ack = reply.last ?? ack;
  }
};

type Probing = { stop(): void; handle(): TransportHandle | undefined };

/** Tries a socket now and then, with growing pauses, until one opens; that one takes over the listener. */
const probe = (
  options: LongpollOptions,
  payload: OpenOptions['payload'],
  listener: TransportListener,
  onOpen: () => void,
): Probing => {
  const { clock, socket } = options;
  let timer: unknown;
  let trial: TransportHandle | undefined;
  let isOpen = false;
  let isOver = false;
  const wait = (pause: number) => {
    timer = clock.setTimeout(() => void attempt(pause), pause);
  };
  const attempt = async (pause: number) => {
    const failed = () => {
      if (isOpen || isOver) return;
      clock.clearTimeout(timer);
      void trial?.close();
      trial = undefined;
      wait(Math.min(longestPause, 2 * pause));
    };
    try {
      const token = await options.token();
      if (isOver || !socket) return;
      timer = clock.setTimeout(failed, options.socketTimeout);
      trial = socket(
        { token, payload },
        {
          hello: (hello, kind) => {
            clock.clearTimeout(timer);
            isOpen = true;
            onOpen();
            listener.hello(hello, kind);
          },
          event: (event) => listener.event(event),
          lost: (cause, error) => (isOpen ? listener.lost(cause, error) : failed()),
        },
      );
    } catch {
      failed();
    }
  };
  if (socket) wait(firstPause);
  return {
    stop: () => {
      isOver = true;
      clock.clearTimeout(timer);
      void trial?.close();
    },
    handle: () => trial,
  };
};

/** The requests authenticate as any other call does. */
export const createLongpollTransport =
  (options: LongpollOptions): OpenTransport =>
  ({ payload }, listener) => {
    const { http } = options;
    const controller = new AbortController();
    let connectionId: string | undefined;
    let probing: Probing | undefined;
    const endPolls = () => {
      controller.abort();
      return leave();
    };
    const run = async () => {
      const opened = await http.call('POST /longpoll', { body: { payload }, signal: controller.signal });
      connectionId = opened.connection_id;
      if (controller.signal.aborted) return void leave();
      if (connectionId === undefined || !opened.me) throw new Error('The server opened no connection');
      listener.hello({ connectionId, me: opened.me }, 'longpoll');
      for (const event of opened.events) listener.event(event);
      // Sent again, the details would undo what was changed elsewhere meanwhile.
      const { user_details: _, ...again } = payload;
      probing = probe(options, again, listener, () => void endPolls());
      await poll(options, connectionId, controller.signal, listener);
    };
    const leave = async () => {
      if (connectionId === undefined) return;
      const query = { connection_id: connectionId };
      // A query alone would not do: the option of the call stands for this field.
      const options = { query, connectionId };
      connectionId = undefined;
      await http.call('DELETE /longpoll', options).catch(() => {});
    };
    run().catch((error: Error) => {
      if (controller.signal.aborted) return;
      controller.abort();
      probing?.stop();
      listener.lost(connectionId === undefined ? options.causeOf(error) : 'dropped', error);
    });
    return {
      close: () => {
        probing?.stop();
        return endPolls();
      },
      probe: () => probing?.handle()?.probe(),
    };
  };
