import { type ConnectPayload, limits, ParleyError, texts, times } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { Credentials } from '../auth/authenticator.ts';
import type { Kernel } from '../kernel.ts';
import type { Connection, Sink } from './connection.ts';
import type { Frame } from './frame.ts';
import type { SayHello } from './hello.ts';
import type { Hub } from './hub.ts';

type Queue = {
  connection: Connection | undefined;
  /** Events that no acknowledgement covers yet, the first with number `last - events.length + 1`. */
  events: string[];
  bytes: number;
  last: number;
  wake: (() => void) | undefined;
  closed: boolean;
};

type Deps = { kernel: Kernel; hub: Hub; sayHello: SayHello };
export type LongPoll = ReturnType<typeof createLongPoll>;

/** For networks that break WebSockets: the same connection, with a queue where the socket would be. */
export const createLongPoll = ({ kernel, hub, sayHello }: Deps) => {
  const queues = new Map<string, Queue>();

  const end = (queue: Queue): void => {
    if (queue.closed) return;
    queue.closed = true;
    queue.wake?.();
    if (!queue.connection) return;
    queues.delete(queue.connection.id);
    hub.close(queue.connection);
  };

  const createSink = (queue: Queue): Sink => ({
    send(frame: Frame) {
      queue.events.push(frame.json);
      queue.bytes += frame.json.length;
      queue.last++;
      if (queue.events.length > limits.queuedFrames || queue.bytes > limits.queuedBytes) end(queue);
      else queue.wake?.();
    },
    close: () => end(queue),
  });

  const acknowledge = (queue: Queue, ack: number): void => {
    const first = queue.last - queue.events.length + 1;
    const done = queue.events.splice(0, Math.max(0, Math.min(ack, queue.last) - first + 1));
    queue.bytes -= done.reduce((sum, json) => sum + json.length, 0);
  };

  const waitForEvents = (queue: Queue): Promise<void> =>
    new Promise((resolve) => {
      queue.wake?.();
      const timer = kernel.clock.setTimeout(() => queue.wake?.(), times.longPollWait);
      queue.wake = () => {
        timer.stop();
        queue.wake = undefined;
        // Whatever else is due in this turn goes along.
        setImmediate(resolve);
      };
    });

  const owned = (id: string, actor: Actor): Queue => {
    const queue = queues.get(id);
    if (queue?.connection && hub.find(id, actor)) return queue;
    throw new ParleyError('NotFound', 'No such connection: it has ended');
  };

  return {
    async open(credentials: Credentials, payload: ConnectPayload | undefined): Promise<string> {
      const queue: Queue = {
        connection: undefined,
        events: [],
        bytes: 0,
        last: 0,
        wake: undefined,
        closed: false,
      };
      if (payload === undefined)
        throw new ParleyError('InputInvalid', texts.userIdMissing, [
          { path: 'payload', message: 'payload or connection_id is required' },
        ]);
      const { connection, me } = await sayHello(credentials, payload, createSink(queue));
      queue.connection = connection;
      queues.set(connection.id, queue);
      return JSON.stringify({ connection_id: connection.id, me, last: 0, events: [] });
    },
    /** Waits for events after `ack`; gives JSON text because the events are JSON text. */
    async poll(actor: Actor, id: string, ack: number): Promise<string> {
      const queue = owned(id, actor);
      if (queue.connection) queue.connection.lastSeen = kernel.clock.now();
      acknowledge(queue, ack);
      if (queue.events.length === 0) await waitForEvents(queue);
      if (queue.closed) throw new ParleyError('NotFound', 'No such connection: it has ended');
      if (queue.connection) queue.connection.lastSeen = kernel.clock.now();
      return `{"events":[${queue.events.join(',')}],"last":${queue.last}}`;
    },
    close(actor: Actor, id: string): void {
      end(owned(id, actor));
    },
    stop(): void {
      for (const queue of [...queues.values()]) end(queue);
    },
  };
};
