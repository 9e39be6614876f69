import { randomUUID } from 'node:crypto';
import { channelId, type ParleyTarget, type Shape, userId } from '../jobs.ts';
import { type Counters, countError } from './counters.ts';
import { askOk, postHead, withBody } from './parley.ts';
import { createPacer, openParleyRateLane } from './rate-lane.ts';
import { inParallel, type Lane } from './rounds.ts';
import { type HttpConnection, openHttp } from './sockets.ts';

type Sharing = { target: ParleyTarget; shape: Shape; perSecond: number; everyMs: number };

const device = 'bench';
const connections = 16;

/** Every watcher of every room begins to share; the heads and ids of their updates. */
const beginSharing = async ({ target, shape }: Sharing, https: HttpConnection[]) => {
  const end_at = new Date(Date.now() + 3_600_000).toISOString();
  const people: { head: string; messageId: string }[] = [];
  await inParallel(shape.rooms * shape.watchers, https.length, async (index, worker) => {
    const http = https[worker];
    if (!http) return;
    const user = userId(index);
    const messageId = randomUUID();
    const path = `/channels/${shape.channelType}/${channelId(shape, Math.floor(index / shape.watchers))}/message`;
    const shared_location = { latitude: 0, longitude: 0, created_by_device_id: device, end_at };
    const body = JSON.stringify({ message: { id: messageId, shared_location } });
    await askOk(http, withBody(postHead(target, path, user), body));
    people[index] = {
      head: postHead(target, '/users/live_locations', user).replace('POST', 'PUT'),
      messageId,
    };
  });
  return people;
};

/** Moves everyone once in `everyMs`, evenly spread, whatever the replies do. */
const openMovers = async (sharing: Sharing, counters: Counters) => {
  const { target, everyMs } = sharing;
  const https = await Promise.all(Array.from({ length: connections }, () => openHttp(target.port)));
  const people = await beginSharing(sharing, https);
  const queue: string[] = [];
  const free: HttpConnection[] = [];
  for (const http of https) {
    http.onReply = (status) => {
      if (status !== 200) countError(counters, `a step was answered with ${status}`);
      const next = queue.shift();
      if (next !== undefined) http.send(next);
      else free.push(http);
    };
    free.push(http);
  }
  const pacer = createPacer((people.length * 1000) / everyMs, (index) => {
    const person = people[index % people.length];
    if (!person) return;
    const where = { latitude: (index % 170) - 85 + Math.random(), longitude: Math.random() * 90 };
    const body = { message_id: person.messageId, created_by_device_id: device, ...where };
    const request = withBody(person.head, JSON.stringify(body));
    const http = free.pop();
    if (http) http.send(request);
    else queue.push(request);
  });
  const close = () => {
    for (const http of https) http.close();
  };
  return { ...pacer, close };
};

/** Sends at a fixed rate while everyone in the rooms moves. */
export const openLocationLane = async (sharing: Sharing): Promise<Lane> => {
  const { target, shape, perSecond } = sharing;
  const lane = await openParleyRateLane(target, shape, perSecond);
  const movers = await openMovers(sharing, lane.counters);
  return {
    ...lane,
    start() {
      movers.start();
      lane.start();
    },
    async stop() {
      await lane.stop();
      movers.stop();
    },
    async close() {
      movers.close();
      await lane.close();
    },
  };
};
