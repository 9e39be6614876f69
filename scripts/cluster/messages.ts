import type { Environment } from '../start/environment.ts';
import { isOn, row } from '../start/messages.ts';
import type { Arguments } from './arguments.ts';
import type { Backend } from './backends.ts';

type Running = {
  spreadingUrl: string;
  stickyUrl: string;
  servers: readonly Backend[];
  /** The address of NATS, or why the database carries the events. */
  bus: { url: string } | { missing: string };
  env: Environment;
} & Arguments;

const busText = (bus: Running['bus']): string =>
  'url' in bus ? `NATS at ${bus.url}` : `the database's own notifications. ${bus.missing}`;

/** The text shown when all servers are ready. */
export const clusterWelcome = ({
  spreadingUrl,
  stickyUrl,
  servers,
  bus,
  env,
  killSeconds,
}: Running): string =>
  [
    '',
    `  Parley is running on ${servers.length} servers.`,
    '',
    row('Open', `${spreadingUrl}   each call goes to the next server`),
    row('or', `${stickyUrl}   each browser stays with one server (sticky sessions)`),
    ...(isOn(env.PARLEY_DEMO)
      ? [row('Try', 'be Ana Ribeiro at one address and Bo Lindqvist at the other, and talk')]
      : [row('Enter', 'npm run token -- <user id>  makes a link that signs in')]),
    row('Server', servers.map(({ name, port }) => `${name}: http://127.0.0.1:${port}`).join('   ')),
    row('Bus', busText(bus)),
    ...(killSeconds === undefined ? [] : [row('Kill', `a random server every ${killSeconds} s`)]),
    row('Stop', 'Ctrl-C'),
    '',
  ].join('\n');
