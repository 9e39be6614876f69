import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@parley/server';
import { freePort, isListening } from './free-port.ts';
import { ensureNats, runNats } from './nats-program.ts';

const startLimitMs = 20_000;

export type Nats = {
  /** The value of BUS_URL, and the configuration that it leads to. */
  url: string;
  bus: NonNullable<Config['bus']>;
  /** Where it says who subscribes to what, if it is monitored. */
  monitor: string | undefined;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
};

/** The arguments of a NATS that takes texts up to this length only. */
const limitedTo = async (maxPayload: number | undefined): Promise<string[]> => {
  if (maxPayload === undefined) return [];
  const file = join(await mkdtemp(join(tmpdir(), 'parley-nats-')), 'nats.conf');
  await writeFile(file, `max_payload: ${maxPayload}`);
  return ['-c', file];
};

/** A NATS of its own on a free port, or why there is none. */
export const startNats = async ({
  maxPayload,
  monitored = false,
}: {
  maxPayload?: number;
  monitored?: boolean;
} = {}): Promise<Nats | { missing: string }> => {
  const path = await ensureNats();
  if (typeof path !== 'string') return path;
  const limits = await limitedTo(maxPayload);
  const port = await freePort();
  const monitorPort = monitored ? await freePort() : undefined;
  const monitoring = monitorPort === undefined ? [] : ['-m', String(monitorPort)];
  let kill = async (): Promise<void> => undefined;
  const restart = async (): Promise<void> => {
    kill = runNats(path, [...limits, ...monitoring, '-a', '127.0.0.1', '-p', String(port)], 'KILL').stop;
    const end = Date.now() + startLimitMs;
    while (!(await isListening(port))) {
      if (Date.now() > end) throw new Error('nats-server did not start');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await restart();
  const noCredentials = { user: undefined, pass: undefined, token: undefined, credentialsFile: undefined };
  const bus = { servers: [`127.0.0.1:${port}`], tls: false, caFile: undefined, ...noCredentials };
  const monitor = monitorPort === undefined ? undefined : `http://127.0.0.1:${monitorPort}`;
  return { url: `nats://127.0.0.1:${port}`, bus, monitor, kill: () => kill(), restart };
};
