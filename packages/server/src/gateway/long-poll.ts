import { type ConnectPayload, ParleyError, texts } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { Credentials } from '../auth/authenticator.ts';
import type { Hub } from '../hub/hub.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { AddressCap, Place } from './caps.ts';
import type { SayHello } from './hello.ts';
import { PollQueue } from './poll-queue.ts';

type Deps = { kernel: Kernel; hub: Hub; sayHello: SayHello; addresses: AddressCap };

const ended = () => new ParleyError('NotFound', 'No such connection: it has ended');

/** The connection for networks that break WebSockets: it has a queue where the socket would be. */
export class LongPoll {
  #deps: Deps;
  #queues = new Map<string, PollQueue>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async open(credentials: Credentials, payload: ConnectPayload | undefined): Promise<string> {
    if (payload === undefined)
      throw new ParleyError('InputInvalid', texts.userIdMissing, [
        { path: 'payload', message: 'payload or connection_id is required' },
      ]);
    const place = this.#enter(credentials);
    const queue = new PollQueue(this.#deps.kernel.clock, (closed) => {
      place?.leave();
      this.#forget(closed);
    });
    const welcome = async () => {
      await place?.confirm();
      return this.#deps.sayHello(credentials, payload, queue);
    };
    const { connection, me } = await welcome().catch((error) => {
      place?.leave();
      throw error;
    });
    queue.connection = connection;
    this.#queues.set(connection.id, queue);
    // A transport that closed during the hello had no connection yet to end.
    if (queue.isClosed) this.#forget(queue);
    return JSON.stringify({ connection_id: connection.id, me, last: 0, events: [] });
  }

  /** Waits for events after `ack`. */
  async poll(actor: Actor, id: string, ack: number): Promise<string> {
    const queue = this.#owned(id, actor);
    this.#touch(queue);
    queue.acknowledge(ack);
    if (queue.isEmpty) await queue.wait();
    if (queue.isClosed) throw ended();
    this.#touch(queue);
    return queue.toJson();
  }

  close(actor: Actor, id: string): void {
    this.#owned(id, actor).close();
  }

  stop(): void {
    for (const queue of [...this.#queues.values()]) queue.close();
  }

  #enter({ address }: Credentials): Place | undefined {
    if (address === undefined) return undefined;
    const place = this.#deps.addresses.enter(address());
    if (place && !place.isOver) return place;
    place?.leave();
    throw this.#deps.addresses.refusal();
  }

  #owned(id: string, actor: Actor): PollQueue {
    const queue = this.#queues.get(id);
    if (queue && this.#deps.hub.find(id, actor)) return queue;
    throw ended();
  }

  #touch({ connection }: PollQueue): void {
    if (connection) connection.lastSeen = this.#deps.kernel.clock.elapsed();
  }

  #forget({ connection }: PollQueue): void {
    if (!connection) return;
    this.#queues.delete(connection.id);
    this.#deps.hub.close(connection);
  }
}
