/** The connection as a pure function. Sockets, timers and tokens are effects that the driver runs. */
import { backoff } from '../backoff.ts';

export type TransportKind = 'ws' | 'longpoll';

/** Why a transport ended. `blocked`: it never opened; `no-token`: its provider failed; `refused`: trying again cannot help. */
export type LossCause = 'blocked' | 'no-token' | 'dropped' | 'going-away' | 'token-expired' | 'refused';

type Trying = { generation: number; attempt: number; wsFailures: number };
export type MachineState =
  | { status: 'disconnected'; generation: number; reason?: 'refused' | 'asked'; error?: Error }
  | ({ status: 'offline' } & Trying)
  | ({ status: 'connecting'; transport: TransportKind; reloadsToken: boolean } & Trying)
  | { status: 'online'; generation: number; transport: TransportKind; connectionId: string }
  | ({
      status: 'waiting';
      transport: TransportKind;
      reloadsToken: boolean;
      retryAt: number;
      cause: LossCause;
      error?: Error;
    } & Trying);

export type MachineEvent =
  | { type: 'connect'; isOnline: boolean }
  | { type: 'disconnect' }
  /** The token is there and the transport starts: only from here on its time counts. */
  | { type: 'opening' }
  /** The transport has moved to another connection by itself, while online. */
  | { type: 'hello'; generation: number; connectionId: string; transport: TransportKind }
  | { type: 'lost'; generation: number; cause: LossCause; error?: Error; now: number; random: number }
  | { type: 'timer'; now: number; random: number }
  | { type: 'network'; isOnline: boolean }
  | { type: 'wake' };

export type Effect =
  | { type: 'open'; generation: number; transport: TransportKind; reloadsToken: boolean }
  | { type: 'close'; generation: number }
  /** Replaces the timer that runs, if any: there is only ever one. */
  | { type: 'timer'; ms: number }
  | { type: 'clear-timer' };

export type MachineConfig = {
  wsTimeout: number;
  fallback: boolean;
  /** The environment has WebSockets at all. */
  hasWebSocket: boolean;
};
export type Step = readonly [MachineState, readonly Effect[]];

const wsFailuresBeforeFallback = 2;
const timeoutError = 'The connection did not open in time';

export const initialState: MachineState = { status: 'disconnected', generation: 0 };

type Live = Extract<MachineState, { status: 'connecting' | 'online' }>;

const isLive = (state: MachineState, generation: number): state is Live =>
  (state.status === 'connecting' || state.status === 'online') && state.generation === generation;

const closing = (state: MachineState): Effect[] => [
  ...(isLive(state, state.generation) ? [{ type: 'close', generation: state.generation } as const] : []),
  { type: 'clear-timer' },
];

type Opening = { attempt: number; wsFailures: number; reloadsToken?: boolean };

const open = (state: MachineState, opening: Opening, config: MachineConfig): Step => {
  const { attempt, wsFailures, reloadsToken = false } = opening;
  const generation = state.generation + 1;
  const falls = config.fallback && (wsFailures >= wsFailuresBeforeFallback || !config.hasWebSocket);
  const transport = falls ? 'longpoll' : 'ws';
  return [
    { status: 'connecting', generation, attempt, transport, wsFailures, reloadsToken },
    [...closing(state), { type: 'open', generation, transport, reloadsToken }],
  ];
};

type Lost = Extract<MachineEvent, { type: 'lost' }>;

const failuresAfter = (state: Live, cause: LossCause): number => {
  // Long-polling that worked is tried first again: sockets that hang would cost their time twice.
  if (state.status === 'online') return state.transport === 'ws' ? 0 : wsFailuresBeforeFallback;
  if (state.transport === 'longpoll') return wsFailuresBeforeFallback - 1;
  return cause === 'blocked' ? state.wsFailures + 1 : state.wsFailures;
};

const lose = (state: Live, event: Lost, config: MachineConfig): Step => {
  const failed = event.error ? { error: event.error } : {};
  if (event.cause === 'refused') {
    return [
      { status: 'disconnected', generation: state.generation, reason: 'refused', ...failed },
      closing(state),
    ];
  }
  const attempt = state.status === 'online' ? 1 : state.attempt + 1;
  const wsFailures = failuresAfter(state, event.cause);
  const reloadsToken = event.cause === 'token-expired';
  const isFirstReload = reloadsToken && !(state.status === 'connecting' && state.reloadsToken);
  const fallsNow =
    state.status === 'connecting' &&
    state.transport === 'ws' &&
    config.fallback &&
    wsFailures >= wsFailuresBeforeFallback;
  if (isFirstReload || fallsNow) return open(state, { attempt, wsFailures, reloadsToken }, config);
  // A server that goes away loses all its clients at once: they come back more spread out.
  const failures = attempt + (event.cause === 'going-away' ? 2 : 0);
  const ms = backoff(Math.max(1, state.status === 'online' ? failures : failures - 1), event.random);
  return [
    {
      status: 'waiting',
      generation: state.generation,
      attempt,
      transport: state.transport,
      wsFailures,
      reloadsToken,
      retryAt: event.now + ms,
      cause: event.cause,
      ...failed,
    },
    [...closing(state), { type: 'timer', ms }],
  ];
};

const onTimer = (
  state: MachineState,
  event: Extract<MachineEvent, { type: 'timer' }>,
  config: MachineConfig,
): Step => {
  switch (state.status) {
    case 'connecting': {
      const { generation } = state;
      const error = new Error(timeoutError);
      return lose(state, { ...event, type: 'lost', generation, cause: 'blocked', error }, config);
    }
    case 'waiting':
      return open(state, state, config);
    default:
      return [state, []];
  }
};

const onNetwork = (state: MachineState, isOnline: boolean, config: MachineConfig): Step => {
  if (isOnline) {
    return state.status === 'offline' || state.status === 'waiting'
      ? open(state, { attempt: state.attempt, wsFailures: state.wsFailures }, config)
      : [state, []];
  }
  if (state.status === 'disconnected' || state.status === 'offline') return [state, []];
  const { attempt, wsFailures } = state.status === 'online' ? { attempt: 1, wsFailures: 0 } : state;
  return [{ status: 'offline', generation: state.generation, attempt, wsFailures }, closing(state)];
};

const onConnect = (state: MachineState, isOnline: boolean, config: MachineConfig): Step => {
  if (state.status === 'waiting') return open(state, state, config);
  if (state.status !== 'disconnected') return [state, []];
  if (!isOnline) {
    return [{ status: 'offline', generation: state.generation, attempt: 1, wsFailures: 0 }, []];
  }
  return open(state, { attempt: 1, wsFailures: 0 }, config);
};

export const transition = (state: MachineState, event: MachineEvent, config: MachineConfig): Step => {
  switch (event.type) {
    case 'connect':
      return onConnect(state, event.isOnline, config);
    case 'disconnect':
      return [{ status: 'disconnected', generation: state.generation, reason: 'asked' }, closing(state)];
    case 'opening':
      return [state, [{ type: 'timer', ms: config.wsTimeout }]];
    case 'hello': {
      if (!isLive(state, event.generation)) return [state, []];
      const { generation, transport, connectionId } = event;
      return [{ status: 'online', generation, transport, connectionId }, [{ type: 'clear-timer' }]];
    }
    case 'lost':
      return isLive(state, event.generation) ? lose(state, event, config) : [state, []];
    case 'timer':
      return onTimer(state, event, config);
    case 'network':
      return onNetwork(state, event.isOnline, config);
    case 'wake':
      return state.status === 'waiting' ? open(state, state, config) : [state, []];
  }
};
