import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, userId } from '../jobs.ts';
import { openSession } from './parley.ts';
import { inParallel } from './rounds.ts';
import { openWs, type WsConnection } from './sockets.ts';

type IdleJob = Extract<Job, { kind: 'idle' }>;
type Open = (index: number) => Promise<WsConnection>;

const openMany = async (count: number, open: Open): Promise<WsConnection[]> => {
  const all: WsConnection[] = [];
  await inParallel(count, 16, async (index) => {
    all.push(await open(index));
  });
  return all;
};

const closeMany = async (all: WsConnection[]): Promise<void> => {
  for (const ws of all) ws.close();
  await sleep(500);
};

/** Opens connections that do nothing and lets the runner weigh the server before and after. */
export const runIdle = async (job: IdleJob, pause: (phase: string) => Promise<void>): Promise<void> => {
  const onLost = (code: number) => {
    throw new Error(`the server closed an idle connection with ${code}`);
  };
  const sides: [string, Open][] = [
    [
      'parley',
      async (index) =>
        (await openSession(job.parley, userId(index), { onData: () => {}, onClosed: onLost })).ws,
    ],
    ['bare', () => openWs({ port: job.bare.port, path: '/idle', onData: () => {}, onClosed: onLost })],
  ];
  for (const [side, open] of sides) {
    // Code and pools that the first connections load are not the price of a connection.
    await closeMany(await openMany(job.warmConnections, open));
    await pause(`${side}:before`);
    const all = await openMany(job.connections, open);
    await sleep(1000);
    await pause(`${side}:after`);
    await closeMany(all);
  }
};
