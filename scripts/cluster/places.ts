import { createServer } from 'node:net';
import type { Environment } from '../start/environment.ts';
import { StartRefused } from './arguments.ts';
import type { Backend } from './backends.ts';

/** Where everything listens. The ports of the servers follow that of the balancer. */
export type Places = { host: string; spreading: number; sticky: number; servers: Backend[] };

const serverCount = 3;
const firstServerAfter = 11;
const highestPort = 65_535 - firstServerAfter - serverCount;

export const placesOf = (env: Environment): Places => {
  const text = env.PORT ?? '8800';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > highestPort)
    throw new StartRefused(`PORT must be a number from 1 to ${highestPort}, not "${text}".`);
  const servers = Array.from({ length: serverCount }, (_, index) => ({
    name: String(index + 1),
    port: port + firstServerAfter + index,
  }));
  return { host: env.HOST ?? '127.0.0.1', spreading: port, sticky: port + 1, servers };
};

const problemOf = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

type Refused = { port: number; host: string; first: number };

const sentences: Record<string, (refused: Refused) => string> = {
  EADDRINUSE: ({ port, first }) =>
    `Port ${port} is taken by another program, perhaps by another Parley. Stop that one, or set PORT: PORT=${first + 100} npm run start:cluster`,
  EACCES: ({ port }) => `Port ${port} may not be used without more rights. Set PORT to a number above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine has no address ${host}: set HOST to one of its own, or to 127.0.0.1.`,
};

/** Looks at all ports before anything is started. */
export const checkPlaces = async ({ host, spreading, sticky, servers }: Places): Promise<void> => {
  const all = [
    ...[spreading, sticky].map((port) => ({ port, at: host })),
    ...servers.map(({ port }) => ({ port, at: '127.0.0.1' })),
  ];
  for (const { port, at } of all) {
    const problem = await problemOf(port, at);
    if (problem === undefined) continue;
    throw new StartRefused(
      sentences[problem]?.({ port, host: at, first: spreading }) ??
        `Port ${port} cannot be used: ${problem}.`,
    );
  }
};
