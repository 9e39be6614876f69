import type { LaneName, ParleyTarget, Question } from '../jobs.ts';
import { countError, createCounters } from './counters.ts';
import { postHead, withBody } from './parley.ts';
import { type Lane, until } from './rounds.ts';
import { openHttp } from './sockets.ts';

type AskOptions = {
  name: LaneName;
  target: ParleyTarget;
  user: string;
  clients: number;
  questions: Question[];
};

/** Clients that ask one question after the other, each the next as soon as it has its answer. */
export const openAskLane = async (options: AskOptions): Promise<Lane> => {
  const counters = createCounters();
  const requests = options.questions.map(({ path, body }) =>
    withBody(postHead(options.target, path, options.user), body),
  );
  const clients = await Promise.all(
    Array.from({ length: options.clients }, () => openHttp(options.target.port)),
  );
  let running = false;
  let active = 0;
  let turn = 0;
  const loop = async (client: (typeof clients)[number]) => {
    active += 1;
    while (running) {
      const request = requests[turn++ % requests.length] ?? '';
      const begin = performance.now();
      const { status, body } = await client.ask(request);
      if (status === 200 || status === 201) {
        counters.acks += 1;
        if (counters.measuring) counters.latencies.push(performance.now() - begin);
      } else countError(counters, `${status} ${body.slice(0, 300)}`);
    }
    active -= 1;
  };
  return {
    name: options.name,
    counters,
    start() {
      running = true;
      for (const client of clients) void loop(client);
    },
    async stop() {
      running = false;
      await until(() => active === 0, 5000);
    },
    close() {
      for (const client of clients) client.close();
    },
  };
};
