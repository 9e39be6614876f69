import { randomUUID } from 'node:crypto';
import type { Job, ParleyTarget } from '../jobs.ts';
import { countError, createCounters } from './counters.ts';
import { askOk, postHead, withBody } from './parley.ts';
import { sendTemplate } from './parley-lane.ts';
import { inParallel, type Lane, until } from './rounds.ts';
import { type HttpConnection, openHttp } from './sockets.ts';

type HistoryJob = Extract<Job, { kind: 'history' }>;

const prefill = async (job: HistoryJob, path: string, http: HttpConnection[]): Promise<void> => {
  const template = sendTemplate(job.parley, `${path}/message`, job.userId);
  await inParallel(job.prefill, http.length, async (_, worker) => {
    const connection = http[worker];
    if (connection !== undefined) await askOk(connection, template(randomUUID()));
  });
};

const checkPage = (body: string): void => {
  const { messages } = JSON.parse(body) as { messages?: unknown[] };
  if (messages?.length !== 30)
    throw new Error(`a page of history holds ${messages?.length} messages, not 30`);
};

const openClients = (target: ParleyTarget, count: number): Promise<HttpConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openHttp(target.port)));

/** Clients that ask for the newest 30 messages of one channel, each again as soon as it has its answer. */
export const openHistoryLane = async (job: HistoryJob): Promise<Lane> => {
  const counters = createCounters();
  const path = `/channels/messaging/${job.channelId}`;
  const clients = await openClients(job.parley, job.clients);
  await prefill(job, path, clients);
  const head = postHead(job.parley, `${path}/query`, job.userId);
  const request = withBody(head, '{"state":true,"messages":{"limit":30}}');
  for (const client of clients.slice(0, 1)) checkPage(await askOk(client, request));
  let running = false;
  let inFlight = 0;
  const starts = clients.map((client) => {
    let sentAt = 0;
    const send = () => {
      inFlight += 1;
      sentAt = performance.now();
      client.send(request);
    };
    client.onReply = (status) => {
      inFlight -= 1;
      if (status === 200 || status === 201) {
        counters.acks += 1;
        if (counters.measuring) counters.latencies.push(performance.now() - sentAt);
      } else countError(counters, `a history query was answered with ${status}`);
      if (running && status !== 0) send();
    };
    return send;
  });
  return {
    name: 'parley',
    counters,
    start() {
      running = true;
      for (const start of starts) start();
    },
    async stop() {
      running = false;
      await until(() => inFlight === 0, 5000);
    },
    close() {
      for (const client of clients) client.close();
    },
  };
};
