import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, LaneResult } from '../jobs.ts';
import { userId } from '../jobs.ts';
import { countError, createCounters, summarise } from './counters.ts';
import { askOk, keepAlive, openSession, postHead, withBody } from './parley.ts';
import { sendTemplate } from './parley-lane.ts';
import { createPacer } from './rate-lane.ts';
import { inParallel, until } from './rounds.ts';
import { openHttp } from './sockets.ts';

type Watched = Extract<Job, { kind: 'watched' }>;
const width = 16;
const warmMs = 2000;
/** The runner measures for as long as it takes in the phase `sending`. */
export const watchedPhases = { quiet: 'quiet', sending: 'sending' };

export const watchedId = (channel: number | ''): string => `bench-watched-${channel}`;
/** The channels of one call that watches. */
const pageSize = 25;

/** A few people watch all channels, a part of them each. */
const watchAll = async ({ parley: target, channels, users }: Watched, onClosed: (code: number) => void) => {
  const sessions = await Promise.all(
    Array.from({ length: users }, (_, n) => openSession(target, userId(n), { onData: () => {}, onClosed })),
  );
  const stopBeats = keepAlive(sessions);
  const https = await Promise.all(Array.from({ length: width }, () => openHttp(target.port)));
  const pagesOfUser = Math.ceil(channels / users / pageSize);
  await inParallel(users * pagesOfUser, width, async (index, worker) => {
    const user = index % users;
    const [http, session] = [https[worker], sessions[user]];
    if (http === undefined || session === undefined) return;
    const from = Math.floor(index / users) * pageSize;
    const cids = Array.from({ length: pageSize }, (_, n) => (from + n) * users + user)
      .filter((channel) => channel < channels)
      .map((channel) => `messaging:${watchedId(channel)}`);
    const body = {
      filter: { cid: { $in: cids } },
      limit: pageSize,
      message_limit: 0,
      state: true,
      watch: true,
    };
    const path = `/channels?connection_id=${session.connectionId}`;
    const reply = await askOk(http, withBody(postHead(target, path, userId(user)), JSON.stringify(body)));
    const found = (JSON.parse(reply) as { channels: unknown[] }).channels.length;
    if (found !== cids.length) throw new Error(`only ${found} of ${cids.length} channels were found`);
  });
  return {
    https,
    close: () => {
      stopBeats();
      for (const { ws } of sessions) ws.close();
      for (const http of https) http.close();
    },
  };
};

/** Sends to the channels in turn. */
export const runWatched = async (
  job: Watched,
  pause: (phase: string) => Promise<void>,
): Promise<LaneResult> => {
  const { parley: target, channels, users, perSecond } = job;
  const counters = createCounters();
  const onClosed = (code: number) => countError(counters, `the server closed a connection with ${code}`);
  const { https, close } = await watchAll(job, onClosed);
  await pause(watchedPhases.quiet);
  const free = [...https];
  const queue: string[] = [];
  for (const http of https)
    http.onReply = (status) => {
      if (status === 201) counters.acks += 1;
      else countError(counters, `a send was answered with ${status}`);
      const next = queue.shift();
      if (next === undefined) free.push(http);
      else http.send(next);
    };
  const pacer = createPacer(perSecond, (index) => {
    const channel = index % channels;
    const request = sendTemplate(
      target,
      `/channels/messaging/${watchedId(channel)}/message`,
      userId(channel % users),
    )(randomUUID());
    const http = free.pop();
    if (http === undefined) queue.push(request);
    else http.send(request);
  });
  pacer.start();
  await sleep(warmMs);
  const before = { acks: counters.acks, at: performance.now() };
  await pause(watchedPhases.sending);
  const seconds = (performance.now() - before.at) / 1000;
  const round = { acks: counters.acks - before.acks, deliveries: 0, bytes: 0, seconds };
  pacer.stop();
  await until(() => free.length === https.length, 3000);
  close();
  return summarise([{ ...round, cost: { processorMs: 0, databaseMs: 0, commits: 0 } }], counters);
};
