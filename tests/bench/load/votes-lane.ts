import { type ParleyTarget, pollOptions, type Shape, userId, type VotePlace } from '../jobs.ts';
import { countError, createCounters } from './counters.ts';
import { postHead, withBody } from './parley.ts';
import { openRooms } from './parley-lane.ts';
import { createPacer } from './rate-lane.ts';
import { type Lane, until } from './rounds.ts';
import { openHttp } from './sockets.ts';

type Votes = { target: ParleyTarget; shape: Shape; places: VotePlace[]; perSecond: number };
type Due = { request: string; at: number; measured: boolean };

/** Ready requests by voter and option: a vote of the same person goes to the next option each time. */
const requestsOf = ({ target, shape, places }: Votes): string[][] =>
  places.flatMap(({ messageId, pollId }, room) =>
    Array.from({ length: shape.watchers }, (_, index) => {
      const user = userId(room * shape.watchers + index);
      const head = postHead(target, `/messages/${messageId}/polls/${pollId}/vote`, user);
      return pollOptions.map(({ id }) => withBody(head, JSON.stringify({ vote: { option_id: id } })));
    }),
  );

const connections = 64;

/** Votes at even distances whatever the replies do; a vote that finds no free connection waits, and its wait counts. */
export const openVotesLane = async (votes: Votes): Promise<Lane> => {
  const { target, shape, perSecond } = votes;
  const counters = createCounters();
  const { rooms, close } = await openRooms({
    ...{ targets: [target], shape, counters, decode: false, prefix: '{"type":"poll.vote_' },
    onData: ({ matched, bytes }) => {
      if (!matched) return;
      counters.deliveries += 1;
      counters.bytes += bytes;
    },
  });
  const requests = requestsOf(votes);
  const queue: Due[] = [];
  let inFlight = 0;
  const free: ((due: Due) => void)[] = [];
  const https = await Promise.all(Array.from({ length: connections }, () => openHttp(target.port)));
  for (const http of https) {
    let current: Due | undefined;
    const send = (due: Due) => {
      current = due;
      inFlight += 1;
      http.send(due.request);
    };
    http.onReply = (status) => {
      inFlight -= 1;
      if (status === 201) counters.acks += 1;
      else countError(counters, `a vote was answered with ${status}`);
      if (current?.measured) counters.latencies.push(performance.now() - current.at);
      const next = queue.shift();
      if (next) send(next);
      else free.push(send);
    };
    free.push(send);
  }
  const pacer = createPacer(perSecond, (index) => {
    const voter =
      (index % rooms.length) * shape.watchers + (Math.floor(index / rooms.length) % shape.watchers);
    const turn = Math.floor(index / requests.length) % pollOptions.length;
    const request = requests[voter]?.[turn];
    if (request === undefined) return;
    const due = { request, at: performance.now(), measured: counters.measuring };
    const send = free.pop();
    if (send) send(due);
    else queue.push(due);
  });
  return {
    name: 'parley',
    counters,
    start: pacer.start,
    async stop() {
      pacer.stop();
      // Votes that still wait a second after the last one was due are a queue that grew.
      await until(() => queue.length === 0 && inFlight === 0, 1000);
      counters.missing += queue.length;
      await until(() => inFlight === 0, 5000);
    },
    close() {
      for (const http of https) http.close();
      close();
    },
  };
};
