import type { Server } from 'node:http';
import type { Hub } from '../hub/hub.ts';
import type { Kernel } from '../kernel/kernel.ts';

type Drains = { drain(): void };
type Deps = {
  kernel: {
    config: Pick<Kernel['config'], 'drain'>;
    others: { limits: Pick<Kernel['others']['limits'], 'releaseConnections'> };
  };
  hub: Pick<Hub, 'askToMove' | 'size'>;
  sockets: Drains;
  longPoll: Drains;
  server: Server;
  /** Says whether another server could take over. */
  cluster: { readonly isShared: boolean };
};

/** A client that begins to move at the end of its time still gets there. */
const graceMs = 1000;
const lookMs = 25;
/** How long the clients wait for a database that does not answer: they would have less time to move. */
const databaseMs = 1000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The end of a server that is one of several. It is not ready first, so that balancers send no more to it; then its clients move to
 * the others, each at a time of its own. A server that is alone has nobody to leave them to, and ends at once. */
export const createDraining = ({ kernel, hub, sockets, longPoll, server, cluster }: Deps) => {
  const { readyMs, reconnectMs } = kernel.config.drain;
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    async run(): Promise<void> {
      if (!cluster.isShared) return;
      isDraining = true;
      // The proxies that keep connections open look for another server.
      server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
      await pause(readyMs);
      sockets.drain();
      longPoll.drain();
      if (reconnectMs === 0) return;
      await Promise.race([kernel.others.limits.releaseConnections(), pause(databaseMs)]);
      hub.askToMove(reconnectMs);
      const until = performance.now() + reconnectMs + graceMs;
      while (hub.size().connections > 0 && performance.now() < until) await pause(lookMs);
    },
  };
};
