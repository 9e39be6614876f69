/** Moves a connection to another server before its own ends; loaded when one says so. */
import type { ConnectPayload, ServerEvent } from '@parley/protocol';
import type { Environment } from '../environment.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { MachineConfig, MachineState, TransportKind } from './machine.ts';
import type { OpenTransport, TransportHandle, TransportListener } from './transport.ts';

type Live = { handle?: TransportHandle };
type Wires = {
  config: Pick<MachineConfig, 'wsTimeout'>;
  environment: Pick<Environment, 'clock' | 'random'>;
  transports: Record<TransportKind, () => OpenTransport | Promise<OpenTransport>>;
  machine: MachineState;
  identity: { tokens: TokenManager | undefined; payload: () => ConnectPayload } | undefined;
  live: Live | undefined;
  onEvent(event: ServerEvent): void;
};

/** In milliseconds. A server that announces an end that never comes must not be asked twice a second for hours. */
const pauses = { first: 500, longest: 25_000 };
const longestMs = 60 * 60 * 1000;
/** An event on its way to both connections comes to the second one within this time. */
const doubledMs = 10_000;

/** The connections that are about to move. A server may ask more than once: the client moves once. */
const moving = new WeakSet<Live>();

/** While both connections are open each gets the events of its user, which no log counts: a reminder would be shown twice. */
const noteEvents = (wires: Wires) => {
  const { onEvent } = wires;
  const seen = new Set<string>();
  wires.onEvent = (event) => {
    seen.add(JSON.stringify(event));
    onEvent(event);
  };
  let end = Number.POSITIVE_INFINITY;
  return {
    stop: () => {
      wires.onEvent = onEvent;
      end = wires.environment.clock.now() + doubledMs;
    },
    isDoubled: (event: ServerEvent): boolean => {
      if (wires.environment.clock.now() > end) seen.clear();
      return seen.size > 0 && seen.delete(JSON.stringify(event));
    },
  };
};

type Try = {
  wires: Wires;
  mine: Live;
  listener: TransportListener;
  open: OpenTransport;
  token: string | undefined;
  identity: NonNullable<Wires['identity']>;
  onFailed: (isExpired: boolean) => void;
};

/** Opens the next connection, and closes the last one when the next is there. */
const openNext = ({ wires, mine, listener, open, token, identity, onFailed }: Try): void => {
  const { clock } = wires.environment;
  const noted = noteEvents(wires);
  let isOpen = false;
  const settle = () => {
    clock.clearTimeout(late);
    noted.stop();
  };
  const late = clock.setTimeout(() => {
    settle();
    void next.close();
    onFailed(false);
  }, wires.config.wsTimeout);
  const next = open(
    { token, payload: identity.payload() },
    {
      hello: (hello, kind) => {
        if (!isOpen) settle();
        // The last one was lost meanwhile, or the user signed out.
        if (wires.live !== mine) return void next.close();
        if (!isOpen) {
          isOpen = true;
          moving.delete(mine);
          void mine.handle?.close();
          mine.handle = next;
        }
        listener.hello(hello, kind);
      },
      event: (event) => {
        if (!noted.isDoubled(event)) listener.event(event);
      },
      lost: (cause, error) => {
        if (isOpen) return listener.lost(cause, error);
        settle();
        const isExpired = cause === 'token-expired';
        // Another try would be refused, too: the driver says so when the server ends the connection.
        if (cause !== 'refused' && !(isExpired && identity.tokens?.isStatic !== false)) onFailed(isExpired);
      },
    },
  );
};

/** The next connection is open before the last one is closed, so that nobody sees a client go. A server loses all its clients at
 * once: each moves at a moment of its own. Where none of the tries succeeds the server ends the connection, and the client
 * connects again as after any other loss. */
export const move = (wires: Wires, mine: Live, listener: TransportListener, withinMs: number): void => {
  if (moving.has(mine)) return;
  moving.add(mine);
  const { clock, random } = wires.environment;
  let pause = pauses.first;
  const attempt = async (reloadsToken: boolean): Promise<void> => {
    const { machine, identity } = wires;
    if (wires.live !== mine || machine.status !== 'online' || !identity) return;
    const { tokens } = identity;
    const token = await (reloadsToken ? tokens?.reload() : tokens?.get());
    const open = await wires.transports[machine.transport]();
    // The user may have signed out meanwhile: nobody must see them come again.
    if (wires.live === mine) openNext({ wires, mine, listener, open, token, identity, onFailed });
  };
  const wait = (ms: number, reloadsToken = false) =>
    void clock.setTimeout(() => void attempt(reloadsToken).catch(() => onFailed(false)), ms);
  const onFailed: Try['onFailed'] = (isExpired) => {
    wait(pause * (0.5 + random()), isExpired);
    pause = Math.min(pause * 2, pauses.longest);
  };
  wait(random() * Math.min(longestMs, Math.max(0, withinMs) || 0));
};
