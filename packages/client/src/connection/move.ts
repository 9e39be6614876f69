/** Moves a connection to another server before its own ends; loaded when one says so. */
import type { ConnectPayload, ServerEvent } from '@parley/protocol';
import type { Environment } from '../environment.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { MachineState, TransportKind } from './machine.ts';
import type { OpenTransport, TransportHandle, TransportListener } from './transport.ts';

type Live = { handle?: TransportHandle };
type Wires = {
  environment: Pick<Environment, 'clock' | 'random'>;
  transports: Record<TransportKind, () => OpenTransport | Promise<OpenTransport>>;
  machine: MachineState;
  identity: { tokens: TokenManager | undefined; payload: () => ConnectPayload } | undefined;
  live: Live | undefined;
  onEvent(event: ServerEvent): void;
};

const pauseMs = 500;
/** An event on its way to both connections comes to the second one within this time. */
const doubledMs = 10_000;

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

/** The next connection is open before the last one is closed, so that nobody sees a client go. A server loses all its clients at
 * once: each moves at a moment of its own. Where none of the tries succeeds the server ends the connection, and the client
 * connects again as after any other loss. */
export const move = (wires: Wires, mine: Live, listener: TransportListener, withinMs: number): void => {
  const { clock, random } = wires.environment;
  const wait = (ms: number) => void clock.setTimeout(() => void attempt(), ms);
  const again = () => wait(pauseMs * (0.5 + random()));
  const attempt = async (): Promise<void> => {
    const { machine, identity } = wires;
    if (wires.live !== mine || machine.status !== 'online' || !identity) return;
    let isOpen = false;
    const noted = noteEvents(wires);
    try {
      const token = await identity.tokens?.get();
      const open = await wires.transports[machine.transport]();
      const next = open(
        { token, payload: identity.payload() },
        {
          hello: (hello, kind) => {
            if (!isOpen) noted.stop();
            // The last one was lost meanwhile, or the user signed out.
            if (wires.live !== mine) return void next.close();
            if (!isOpen) {
              isOpen = true;
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
            noted.stop();
            again();
          },
        },
      );
    } catch {
      noted.stop();
      again();
    }
  };
  wait(random() * withinMs);
};
