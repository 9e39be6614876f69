import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@parley/client';
import { createAdminClient } from '@parley/client/admin';
import type { PermissionRule } from '@parley/protocol';
import { type ParleyTarget, userId } from './jobs.ts';
import { createChannel, createUsers } from './setup.ts';
import { userToken } from './tokens.ts';

const tries = 5;
const longestMs = 5000;
/** They are none of those who send and watch meanwhile. */
const firstUser = 600;
const follower = userId(firstUser);
const changedUser = (n: number): string => userId(firstUser + 1 + n);
const room = { type: 'messaging', id: 'bench-reach', firstUser, members: tries + 1 };
/** Of a type of its own, whose rules the traffic beside it does not depend on. */
const ruled = { ...room, type: 'bench-rules', id: 'bench-rules' };
const allowAll: PermissionRule = { name: 'all', action: 'Allow', priority: 1 };
const denyReading: PermissionRule = {
  ...allowAll,
  name: 'not now',
  action: 'Deny',
  priority: 9,
  resources: ['read-channel'],
};

/** Milliseconds of each try, by what was changed. */
export type Reach = Record<
  'a person who comes online' | 'a removed member' | 'a changed rule' | 'a revoked token',
  number[]
>;

const baseUrlOf = ({ port }: ParleyTarget): string => `http://127.0.0.1:${port}/api`;

/** The time until it holds; it is asked every few milliseconds. */
const timeUntil = async (
  holds: () => boolean | Promise<boolean>,
  began = performance.now(),
): Promise<number> => {
  while (!(await holds())) {
    if (performance.now() - began > longestMs) return Number.POSITIVE_INFINITY;
    await sleep(2);
  }
  return performance.now() - began;
};

const connectTo = async (target: ParleyTarget, id: string) => {
  const client = createClient({ apiKey: target.apiKey, baseUrl: baseUrlOf(target) });
  await client.connectUser({ id }, userToken(id, target.apiSecret));
  return client;
};

type Asked = { n: number; path: string; body?: string };

/** The status with which a server answers a call of one of the users, whose tokens are made before any of them is revoked. */
const createAsk = (target: ParleyTarget) => {
  const tokens = Array.from({ length: tries }, (_, n) => userToken(changedUser(n), target.apiSecret));
  const ask = async ({ n, path, body }: Asked): Promise<number> => {
    const headers = { 'x-api-key': target.apiKey, authorization: tokens[n] ?? '' };
    const typed = { ...headers, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers: typed, body };
    const reply = await fetch(`${baseUrlOf(target)}${path}`, init);
    await reply.arrayBuffer();
    return reply.status;
  };
  return {
    reading: (n: number, { type, id } = room) =>
      ask({ n, path: `/channels/${type}/${id}/query`, body: '{"state":true}' }),
    unread: (n: number) => ask({ n, path: '/unread' }),
  };
};

/** Changes at one server, and how long after its answer the other one knows. */
export const measureReach = async (here: ParleyTarget, there: ParleyTarget): Promise<Reach> => {
  const admin = createAdminClient({
    ...{ apiKey: here.apiKey, secret: here.apiSecret, baseUrl: baseUrlOf(here) },
  });
  await createUsers(here, firstUser + room.members);
  await admin.channelTypes.create({ name: ruled.type, permissions: [allowAll] });
  await createChannel(here, room);
  await createChannel(here, ruled);
  const ask = createAsk(there);
  const watcher = await connectTo(there, follower);
  const reach: Reach = {
    ...{
      'a person who comes online': [],
      'a removed member': [],
      'a changed rule': [],
      'a revoked token': [],
    },
  };
  for (let n = 0; n < tries; n++) {
    const id = changedUser(n);
    await watcher.presence.follow([id]);
    const isOnline = watcher.presence.isOnline(id);
    if (isOnline.get()) throw new Error('a user who has not connected yet is online');
    const began = performance.now();
    const coming = connectTo(here, id);
    reach['a person who comes online'].push(await timeUntil(() => isOnline.get(), began));
    const comes = await coming;
    if ((await ask.reading(n)) >= 300 || (await ask.reading(n, ruled)) >= 300)
      throw new Error('a member could not read the channel');
    await admin.channels.removeMembers(`${room.type}:${room.id}`, [id]);
    reach['a removed member'].push(await timeUntil(async () => (await ask.reading(n)) === 403));
    await admin.channelTypes.update(ruled.type, { permissions: [allowAll, denyReading] });
    reach['a changed rule'].push(await timeUntil(async () => (await ask.reading(n, ruled)) === 403));
    await admin.channelTypes.update(ruled.type, { permissions: [allowAll] });
    await timeUntil(async () => (await ask.reading(n, ruled)) < 300);
    await comes.disconnect();
    await admin.revokeUserToken(id, new Date(Date.now() + 1000));
    reach['a revoked token'].push(await timeUntil(async () => (await ask.unread(n)) === 401));
  }
  await watcher.disconnect();
  return reach;
};
