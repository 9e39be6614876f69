import { type ConnectPayload, ParleyError, texts } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { Credentials } from '../auth/authenticator.ts';
import type { Owner } from '../hub/connection.ts';
import type { Hub } from '../hub/hub.ts';
import { type NamedConnections, ownerOf } from '../hub/named-connections.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { AddressCap, Place } from './caps.ts';
import type { SayHello } from './hello.ts';
import { PollQueue } from './poll-queue.ts';
import { PollRelay } from './poll-relay.ts';

type Deps = {
  kernel: Kernel;
  hub: Hub;
  connections: NamedConnections;
  sayHello: SayHello;
  addresses: AddressCap;
};

const ended = () => new ParleyError('NotFound', 'No such connection: it has ended');

/** The connection for networks that break WebSockets: it has a queue where the socket would be. */
export class LongPoll {
  #deps: Deps;
  #queues = new Map<string, PollQueue>();
  #relay: PollRelay;
  #isDraining = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#relay = new PollRelay(deps.kernel.others.questions, {
      poll: async (id, owner, ack) => {
        const queue = this.#findOwn(id, owner);
        return queue && this.#wait(queue, ack);
      },
      close: (id, owner) => {
        const queue = this.#findOwn(id, owner);
        queue?.close();
        return queue !== undefined;
      },
    });
  }

  async open(credentials: Credentials, payload: ConnectPayload | undefined): Promise<string> {
    if (payload === undefined)
      throw new ParleyError('InputInvalid', texts.userIdMissing, [
        { path: 'payload', message: 'payload or connection_id is required' },
      ]);
    if (this.#isDraining) throw new ParleyError('Unavailable', 'This server is about to end: connect again');
    const place = this.#enter(credentials);
    const leavePlace = () => place?.leave();
    const queue = new PollQueue(this.#deps.kernel.clock, {
      leavePlace,
      onClose: (closed) => {
        leavePlace();
        this.#forget(closed);
      },
    });
    const welcome = async () => {
      await place?.confirm();
      return this.#deps.sayHello(credentials, payload, queue);
    };
    const { connection, me } = await welcome().catch((error) => {
      leavePlace();
      throw error;
    });
    queue.connection = connection;
    this.#queues.set(connection.id, queue);
    // A transport that closed during the hello had no connection yet to end.
    if (queue.isClosed) this.#forget(queue);
    return JSON.stringify({ connection_id: connection.id, me, last: 0, events: [] });
  }

  /** Waits for events after `ack`, at the server that holds the connection. */
  async poll(actor: Actor, id: string, ack: number): Promise<string> {
    const owner = ownerOf(actor);
    const holder = this.#deps.connections.holderOf(id);
    const json =
      holder !== undefined && owner
        ? await this.#relay.poll(holder, { id, owner, ack })
        : await this.#wait(this.#owned(id, owner), ack);
    if (json === undefined) throw ended();
    return json;
  }

  async close(actor: Actor, id: string): Promise<void> {
    const owner = ownerOf(actor);
    const holder = this.#deps.connections.holderOf(id);
    if (holder === undefined || !owner) this.#owned(id, owner).close();
    else if (!(await this.#relay.close(holder, { id, owner }))) throw ended();
  }

  /** Opens no more connections, and lets go of the polls that wait for another server. */
  drain(): void {
    this.#isDraining = true;
    this.#relay.drain();
  }

  stop(): void {
    this.drain();
    for (const queue of [...this.#queues.values()]) queue.close();
  }

  #enter({ address }: Credentials): Place | undefined {
    if (address === undefined) return undefined;
    const place = this.#deps.addresses.enter(address());
    if (place && !place.isOver) return place;
    place?.leave();
    throw this.#deps.addresses.refusal();
  }

  /** Undefined where the connection ended meanwhile. */
  async #wait(queue: PollQueue, ack: number): Promise<string | undefined> {
    this.#touch(queue);
    queue.acknowledge(ack);
    if (queue.isEmpty) await queue.wait();
    if (queue.isClosed) return undefined;
    this.#touch(queue);
    return queue.toJson();
  }

  #findOwn(id: string, owner: Owner): PollQueue | undefined {
    return this.#deps.hub.findOwn(id, owner) && this.#queues.get(id);
  }

  #owned(id: string, owner: Owner | undefined): PollQueue {
    const queue = owner && this.#findOwn(id, owner);
    // Those of others are answered like those that have ended, as a server does that does not hold them.
    if (!queue) throw ended();
    return queue;
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
