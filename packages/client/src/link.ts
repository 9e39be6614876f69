/** The connection of a client: driver and session joined, and what the rest needs to know of them. */
import type { ServerEvent } from '@parley/protocol';
import { times } from '@parley/protocol/limits';
import { type ConnectionState, createDriver, type Driver } from './connection/driver.ts';
import type { TransportKind } from './connection/machine.ts';
import { causeOfError, type Hello } from './connection/transport.ts';
import { createWsTransport } from './connection/ws-transport.ts';
import type { Core } from './core.ts';
import type { Clock } from './environment.ts';
import type { Defaulted } from './options.ts';
import type { Readable } from './readable.ts';
import { createSession, type IdentityHolder, type Session } from './session.ts';

export type LinkOptions = {
  given: Defaulted;
  core: Core;
  holder: IdentityHolder;
  receive(event: ServerEvent): void;
  onHello(hello: Hello, isReconnect: boolean): void;
  onStart(userId: string): void;
  onEnd(): void;
};

export type Link = {
  session: Session;
  state: Readable<ConnectionState>;
  connectionId(lost?: string): Promise<string | undefined>;
};

const socketUrl = ({ baseUrl, apiKey }: Defaulted): string =>
  `${baseUrl.replace(/^http/, 'ws')}/connect?api_key=${encodeURIComponent(apiKey)}`;

/** Resolves with the id once it is known whether there is one. */
const awaitConnectionId = (state: Readable<ConnectionState>): Promise<string | undefined> =>
  new Promise((resolve) => {
    const look = () => {
      const now = state.get();
      if (now.status === 'connecting') return;
      stop();
      resolve(now.status === 'online' ? now.connectionId : undefined);
    };
    const stop = state.subscribe(look);
    look();
  });

/** Each answer over HTTP calls this: the server is back, and a socket that waits longer would show "offline" beside messages that are sent. */
const createWaking = (driver: Driver, clock: Clock): (() => void) => {
  let wokenAt = 0;
  return () => {
    const state = driver.state.get();
    const now = clock.now();
    if (state.status !== 'waiting' || state.retryAt - now < 1000 || now - wokenAt < 5000) return;
    wokenAt = now;
    driver.wake();
  };
};

export const createLink = (options: LinkOptions): Link => {
  const { given, core, holder, receive } = options;
  const { environment, http, events, log } = core;
  const { WebSocket, clock } = environment;
  const socket = createWsTransport({ url: socketUrl(given), clock, WebSocket });
  let transport: TransportKind | undefined;
  let wasOnline = false;

  const driver = createDriver({
    config: { wsTimeout: given.wsTimeout, fallback: given.fallback, hasWebSocket: WebSocket !== undefined },
    transports: {
      ws: () => socket,
      longpoll: async () =>
        (await import('./connection/longpoll-transport.ts')).createLongpollTransport({
          ...{ http, clock, causeOf: causeOfError, socket: WebSocket && socket },
          pollTimeout: times.longPollWait + 10_000,
          socketTimeout: given.wsTimeout,
          token: async () => holder.current?.tokens?.get(),
        }),
    },
    environment,
    batch: core.batch,
    onEvent: receive,
    onHello: (hello, kind) => {
      const isReconnect = wasOnline;
      wasOnline = true;
      session.onHello(hello.me);
      options.onHello(hello, isReconnect);
      if (transport !== kind) events.emit({ type: 'transport.changed', transport: kind });
      transport = kind;
    },
    onState: (state) => {
      events.emit({ type: 'connection.changed', state: driver.state.get() });
      session.onState(state);
    },
  });
  holder.answered = createWaking(driver, clock);
  const session = createSession({
    ...{ holder, http, driver, environment, log, device: given.device },
    keepUserOnFailure: given.keepUserOnFailure,
    firstAttempts: given.fallback ? 3 : 1,
    onStart: (userId) => {
      if (given.warmUp) {
        const healthUrl = given.baseUrl.replace(/\/[^/]*$/, '/healthz');
        environment.fetch(healthUrl, { method: 'HEAD' }).catch(() => {});
      }
      options.onStart(userId);
    },
    onEnd: () => {
      wasOnline = false;
      transport = undefined;
      options.onEnd();
    },
  });
  const connectionId = (lost?: string) => {
    if (lost) driver.lose(lost);
    return awaitConnectionId(driver.state);
  };
  return { session, state: driver.state, connectionId };
};
