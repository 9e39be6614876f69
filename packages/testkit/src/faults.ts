import type { Environment, Socket } from '@parley/client';

export type FrameFault = 'drop' | 'duplicate' | { delayMs: number };

/** Breaks the network between one client and the server. */
export type Faults = {
  readonly environment: Pick<Environment, 'fetch' | 'WebSocket' | 'online'>;
  /** Ends every socket and refuses all traffic until `restore`. The device knows that it is offline. */
  goOffline(): void;
  /** Ends every socket; new ones are accepted. */
  cutSockets(): void;
  /** Refuses WebSockets only, as some networks do. */
  blockSockets(): void;
  restore(): void;
  /** What happens to an incoming frame; the default delivers it. */
  onFrame(decide: ((json: string) => FrameFault | undefined) | undefined): void;
  /** What happens to an HTTP call: 'lose' sends it and loses the answer. */
  onCall(decide: ((url: string, method: string) => 'refuse' | 'lose' | undefined) | undefined): void;
  readonly openSockets: number;
};

type Message = { data: unknown };

const networkFailure = () => new TypeError('network failure (test)');

export const createFaults = (): Faults => {
  let offline = false;
  let socketsBlocked = false;
  let frameFault: Parameters<Faults['onFrame']>[0];
  let callFault: Parameters<Faults['onCall']>[0];
  const sockets = new Set<WebSocket>();
  const listeners = new Set<() => void>();

  const deliver = (json: string, hand: () => void): void => {
    const fault = frameFault?.(json);
    if (fault === 'drop') return;
    if (fault && typeof fault === 'object') setTimeout(hand, fault.delayMs);
    else hand();
    if (fault === 'duplicate') hand();
  };

  class FaultySocket extends WebSocket {
    constructor(url: string) {
      super(offline || socketsBlocked ? 'ws://127.0.0.1:1/' : url);
      sockets.add(this);
      this.addEventListener('close', () => sockets.delete(this));
    }
    override set onmessage(listener: ((event: Message) => unknown) | null) {
      this.addEventListener('message', (event) => deliver(String(event.data), () => listener?.(event)));
    }
  }

  const cutSockets = () => {
    for (const socket of sockets) socket.close(4999, 'cut by the test');
  };
  const setOffline = (value: boolean) => {
    offline = value;
    for (const listener of listeners) listener();
  };

  return {
    environment: {
      WebSocket: FaultySocket as unknown as new (url: string) => Socket,
      fetch: async (url, init) => {
        const fault = offline ? 'refuse' : callFault?.(url, init.method ?? 'GET');
        if (fault === 'refuse') throw networkFailure();
        const response = await globalThis.fetch(url, init);
        if (fault === 'lose' || offline) throw networkFailure();
        return response;
      },
      online: {
        isOnline: () => !offline,
        subscribe: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    },
    goOffline: () => {
      setOffline(true);
      cutSockets();
    },
    cutSockets,
    blockSockets: () => {
      socketsBlocked = true;
      cutSockets();
    },
    restore: () => {
      socketsBlocked = false;
      setOffline(false);
    },
    onFrame: (decide) => {
      frameFault = decide;
    },
    onCall: (decide) => {
      callFault = decide;
    },
    get openSockets() {
      return [...sockets].filter((socket) => socket.readyState === WebSocket.OPEN).length;
    },
  };
};
