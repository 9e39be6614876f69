import type { ConnectPayload, ServerEvent } from '@parley/protocol';
import { after, type Environment } from '../environment.ts';
import { type Batch, type Cell, createCell, type Readable, type Unsubscribe } from '../readable.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import {
  type Effect,
  initialState,
  type LossCause,
  type MachineConfig,
  type MachineEvent,
  type MachineState,
  type TransportKind,
  transition,
} from './machine.ts';
import type { Hello, OpenTransport, TransportHandle, TransportListener } from './transport.ts';

export type ConnectionState =
  | { status: 'disconnected'; reason?: 'refused' | 'asked'; error?: Error }
  | { status: 'connecting'; attempt: number }
  | { status: 'online'; connectionId: string; transport: TransportKind }
  | { status: 'waiting'; attempt: number; retryAt: number; error?: Error }
  | { status: 'offline' };

/** The user who connects. A new one for each session: the driver never mixes two. */
export type Identity = { tokens: TokenManager | undefined; payload: () => ConnectPayload };

export type DriverOptions = {
  config: MachineConfig;
  transports: Record<TransportKind, () => OpenTransport | Promise<OpenTransport>>;
  environment: Pick<Environment, 'clock' | 'random' | 'online' | 'visibility'>;
  batch: Batch;
  onHello(hello: Hello, transport: TransportKind): void;
  onEvent(event: ServerEvent): void;
  /** Called after each step, with the machine's own state. */
  onState(state: MachineState, previous: MachineState): void;
};

export type Driver = {
  readonly state: Readable<ConnectionState>;
  connect(identity: Identity): void;
  disconnect(): Promise<void>;
  /** Retries now if it waits. */
  wake(): void;
  /** Gives up a connection that the server no longer knows, though its socket still looks open. */
  lose(connectionId: string): void;
};

const publicState = ({ generation: _, ...state }: MachineState): ConnectionState => {
  switch (state.status) {
    case 'connecting':
      return { status: 'connecting', attempt: state.attempt };
    case 'waiting': {
      const { status, attempt, retryAt, error } = state;
      return { status, attempt, retryAt, ...(error && { error }) };
    }
    case 'offline':
      return { status: 'offline' };
    default:
      return state;
  }
};

type Live = { generation: number; handle?: TransportHandle };

type Wires = DriverOptions & {
  visible: Cell<ConnectionState>;
  machine: MachineState;
  identity: Identity | undefined;
  live: Live | undefined;
  closing: Promise<void> | undefined;
  stopTimer(): void;
};

const dispatch = (wires: Wires, event: MachineEvent): void => {
  const previous = wires.machine;
  const [next, effects] = transition(previous, event, wires.config);
  wires.machine = next;
  for (const effect of effects) run(wires, effect);
  if (next === previous) return;
  wires.visible.set(publicState(next));
  wires.onState(next, previous);
};

const stamp = ({ environment: { clock, random } }: Wires) => ({ now: clock.now(), random: random() });

const listenerOf = (wires: Wires, mine: Live): TransportListener => ({
  hello: (hello, transport) => {
    if (wires.live !== mine) return;
    const { connectionId } = hello;
    dispatch(wires, { type: 'hello', generation: mine.generation, connectionId, transport });
    wires.onHello(hello, transport);
  },
  event: (event) => {
    if (wires.live !== mine) return;
    if (event.type === 'connection.draining')
      // A file that does not come leaves the connection to its end.
      void import('./move.ts').then(
        ({ move }) => move(wires, mine, listenerOf(wires, mine), event.within_ms),
        () => {},
      );
    else wires.onEvent(event);
  },
  lost: (cause, error) => {
    const isHopeless = cause === 'token-expired' && wires.identity?.tokens?.isStatic !== false;
    dispatch(wires, {
      type: 'lost',
      generation: mine.generation,
      cause: isHopeless ? 'refused' : cause,
      ...(error && { error }),
      ...stamp(wires),
    });
  },
});

/** The start is always asynchronous: a connect that is taken back in the same turn opens no socket. */
const openTransport = async (wires: Wires, effect: Extract<Effect, { type: 'open' }>): Promise<void> => {
  const { generation, transport, reloadsToken } = effect;
  const mine: Live = { generation };
  wires.live = mine;
  const who = wires.identity;
  const listener = listenerOf(wires, mine);
  let cause: LossCause = 'no-token';
  try {
    const token = await (reloadsToken ? who?.tokens?.reload() : who?.tokens?.get());
    if (wires.live !== mine) return;
    cause = 'dropped';
    dispatch(wires, { type: 'opening' });
    const open = await wires.transports[transport]();
    if (wires.live === mine && who) mine.handle = open({ token, payload: who.payload() }, listener);
  } catch (error) {
    listener.lost(cause, error instanceof Error ? error : new Error(String(error)));
  }
};

const run = (wires: Wires, effect: Effect): void => {
  switch (effect.type) {
    case 'open':
      void openTransport(wires, effect);
      return;
    case 'close':
      if (wires.live?.generation !== effect.generation) return;
      wires.closing = Promise.resolve(wires.live.handle?.close());
      wires.live = undefined;
      return;
    case 'clear-timer':
      wires.stopTimer();
      return;
    case 'timer':
      wires.stopTimer();
      wires.stopTimer = after(wires.environment.clock, effect.ms, () =>
        dispatch(wires, { type: 'timer', ...stamp(wires) }),
      );
  }
};

const listenToWorld = (wires: Wires): Unsubscribe => {
  const { online, visibility } = wires.environment;
  const stopOnline = online.subscribe(() =>
    dispatch(wires, { type: 'network', isOnline: online.isOnline() }),
  );
  const stopVisible = visibility.subscribe(() => {
    if (!visibility.isVisible()) return;
    wires.live?.handle?.probe();
    dispatch(wires, { type: 'wake' });
  });
  return () => {
    stopOnline();
    stopVisible();
  };
};

export const createDriver = (options: DriverOptions): Driver => {
  const wires: Wires = {
    ...options,
    visible: createCell(publicState(initialState), options.batch),
    machine: initialState,
    identity: undefined,
    live: undefined,
    closing: undefined,
    stopTimer: () => {},
  };
  let stopSignals: Unsubscribe = () => {};
  return {
    state: wires.visible,
    connect: (who) => {
      wires.identity = who;
      stopSignals();
      stopSignals = listenToWorld(wires);
      dispatch(wires, { type: 'connect', isOnline: options.environment.online.isOnline() });
    },
    disconnect: async () => {
      stopSignals();
      stopSignals = () => {};
      wires.closing = undefined;
      dispatch(wires, { type: 'disconnect' });
      wires.identity = undefined;
      await wires.closing;
    },
    wake: () => dispatch(wires, { type: 'wake' }),
    lose: (connectionId) => {
      const { live, machine } = wires;
      if (!live || machine.status !== 'online' || machine.connectionId !== connectionId) return;
      listenerOf(wires, live).lost('dropped');
    },
  };
};
