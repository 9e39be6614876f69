import type { Environment } from '@parley/client';

/** 'lose' sends it and loses the answer; `delayMs` holds the answer back. */
export type CallFault = 'refuse' | 'lose' | { delayMs: number };

/** `until` holds the frame back until the promise resolves: an order that no busy machine changes. */
export type FrameFault = 'drop' | 'duplicate' | { delayMs: number } | { until: Promise<unknown> };

/** Breaks the network between one client and the server. */
export type Faults = {
  readonly environment: Pick<Environment, 'fetch' | 'WebSocket' | 'online'>;
  /** Ends every socket and refuses all traffic until `restore`. The device knows that it is offline. */
  goOffline(): void;
  /** Ends every socket; new ones are accepted. */
  cutSockets(): void;
  /** Ends every socket towards the server, unnoticed by the client: a half-open connection. */
  cutUnnoticed(): void;
  /** Refuses WebSockets only, as some networks do. */
  blockSockets(): void;
  restore(): void;
  /** Decides about an incoming frame; the default delivers it. */
  onFrame(decide: ((json: string) => FrameFault | undefined) | undefined): void;
  /** Decides about an HTTP call. */
  onCall(decide: ((url: string, method: string) => CallFault | undefined) | undefined): void;
  readonly openSockets: number;
};

type Message = { data: unknown };

const networkFailure = () => new TypeError('network failure (test)');

/** The faults of the network at the moment. */
class Network {
  offline = false;
  socketsBlocked = false;
  frameFault: Parameters<Faults['onFrame']>[0];
  callFault: Parameters<Faults['onCall']>[0];
  readonly sockets = new Set<WebSocket>();
  /** The sockets whose end the client does not notice. */
  readonly silenced = new WeakSet<WebSocket>();
  readonly listeners = new Set<() => void>();

  deliver(json: string, hand: () => void): void {
    const fault = this.frameFault?.(json);
    if (fault === 'drop') return;
    if (typeof fault === 'object') {
      if ('until' in fault) void fault.until.then(hand);
      else setTimeout(hand, fault.delayMs);
    } else hand();
    if (fault === 'duplicate') hand();
  }

  cutSockets(): void {
    for (const socket of this.sockets) socket.close(4999, 'cut by the test');
  }

  cutUnnoticed(): void {
    for (const socket of this.sockets) this.silenced.add(socket);
    this.cutSockets();
  }

  setOffline(value: boolean): void {
    this.offline = value;
    for (const listener of this.listeners) listener();
  }
}

const faultySocket = (network: Network) =>
  class FaultySocket extends WebSocket {
    #closed: ((event: CloseEvent) => unknown) | null = null;
    constructor(url: string) {
      super(network.offline || network.socketsBlocked ? 'ws://127.0.0.1:1/' : url);
      network.sockets.add(this);
      this.addEventListener('close', (event) => {
        network.sockets.delete(this);
        if (!network.silenced.has(this)) this.#closed?.(event);
      });
    }
    override set onmessage(listener: ((event: Message) => unknown) | null) {
      this.addEventListener('message', (event) =>
        network.deliver(String(event.data), () => listener?.(event)),
      );
    }
    override set onclose(listener: ((event: CloseEvent) => unknown) | null) {
      this.#closed = listener;
    }
  };

const environmentOf = (network: Network): Faults['environment'] => ({
  WebSocket: faultySocket(network),
  fetch: async (url, init) => {
    const fault = network.offline ? 'refuse' : network.callFault?.(url, init.method ?? 'GET');
    if (fault === 'refuse') throw networkFailure();
    const response = await globalThis.fetch(url, init);
    if (typeof fault === 'object') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    if (fault === 'lose' || network.offline) throw networkFailure();
    return response;
  },
  online: {
    isOnline: () => !network.offline,
    subscribe: (listener) => {
      network.listeners.add(listener);
      return () => network.listeners.delete(listener);
    },
  },
});

export const createFaults = (): Faults => {
  const network = new Network();
  return {
    environment: environmentOf(network),
    goOffline: () => {
      network.setOffline(true);
      network.cutSockets();
    },
    cutSockets: () => network.cutSockets(),
    cutUnnoticed: () => network.cutUnnoticed(),
    blockSockets: () => {
      network.socketsBlocked = true;
      network.cutSockets();
    },
    restore: () => {
      network.socketsBlocked = false;
      network.setOffline(false);
    },
    onFrame: (decide) => {
      network.frameFault = decide;
    },
    onCall: (decide) => {
      network.callFault = decide;
    },
    get openSockets() {
      return [...network.sockets].filter((socket) => socket.readyState === WebSocket.OPEN).length;
    },
  };
};
