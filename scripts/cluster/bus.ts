import { freePort, isListening } from '@parley/testkit/free-port';
import { ensureNats, runNats } from '@parley/testkit/nats-program';

export type ClusterBus = { url: string; stop(): Promise<void> };

const startLimitMs = 10_000;

/** A NATS of its own on a free port, or why there is none. */
export const startBus = async (log: (line: string) => void): Promise<ClusterBus | { missing: string }> => {
  const path = await ensureNats(() => log('Installing nats-server from the packages of this system …'));
  if (typeof path !== 'string') return path;
  const port = await freePort();
  const { stop } = runNats(path, ['-a', '127.0.0.1', '-p', String(port)], 'TERM');
  const end = Date.now() + startLimitMs;
  while (!(await isListening(port))) {
    if (Date.now() > end) {
      await stop();
      return { missing: `${path} did not start within ${startLimitMs / 1000} s.` };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url: `nats://127.0.0.1:${port}`, stop };
};
