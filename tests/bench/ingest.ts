/** How fast a client takes events in: `node tests/bench/ingest.ts [--members 10]`. Each figure stands beside JSON.parse. */

import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, type ParleyClient, type Socket } from '@parley/client';

const channels = 50;
const perRound = 20_000;
const rounds = 2;
const repeats = 3;
const perTick = 100;
const start = Date.UTC(2026, 0, 1);

const timeOf = (n: number): string => new Date(start + n).toISOString();
const userOf = (n: number) => ({
  id: `user-${n}`,
  name: `Person Number ${n}`,
  image: `https://example.com/pictures/${n}.png`,
  role: 'user',
  created_at: timeOf(0),
  updated_at: timeOf(0),
  online: true,
});
const cidOf = (n: number): string => `messaging:room-${n}`;
const ownId = 'user-0';

const stateOf = (n: number, members: number) => {
  const people = Array.from({ length: members }, (_, index) => userOf(index));
  const times = { created_at: timeOf(0), updated_at: timeOf(0) };
  const channel = {
    id: `room-${n}`,
    type: 'messaging',
    cid: cidOf(n),
    ...times,
    member_count: members,
    frozen: false,
    cooldown: 0,
    disabled: false,
    own_capabilities: ['send-message', 'send-reply'],
    config: { delivery_events: false },
  };
  return {
    channel,
    members: people.map((user) => ({ user_id: user.id, user, channel_role: 'channel_member', ...times })),
    messages: [],
    read: people.map((user) => ({ user, last_read_number: 0, unread_messages: 0 })),
    watcher_count: 1,
    pinned_messages: [],
    seq: 0,
    last_number: 0,
  };
};

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(5).slice(0, 200);

const frameOf = (n: number, members: number): string => {
  const place = Math.floor(n / channels) + 1;
  const cid = cidOf(n % channels);
  const created_at = timeOf(n + 1);
  const message = {
    id: `message-${n.toString().padStart(29, '0')}`,
    cid,
    user: userOf(1 + ((n * 7) % (members - 1))),
    text: `${n} ${text}`,
    type: 'regular',
    attachments: [],
    mentioned_users: [],
    reaction_counts: {},
    reaction_scores: {},
    reaction_groups: {},
    latest_reactions: [],
    reply_count: 0,
    pinned: false,
    silent: false,
    number: place,
    created_at,
    updated_at: created_at,
  };
  return JSON.stringify({ type: 'message.new', seq: place, cid, created_at, message });
};

const framesOf = (members: number, round: number): string[] =>
  Array.from({ length: perRound }, (_, index) => frameOf(round * perRound + index, members));

type Hear = (data: string) => void;

/** A client whose socket and server are in this process: what is measured is the client alone. */
const connect = async (members: number): Promise<{ client: ParleyClient; hear: Hear }> => {
  let socket: Socket | undefined;
  class OwnSocket implements Socket {
    readyState = 1;
    onopen: Socket['onopen'] = null;
    onmessage: Socket['onmessage'] = null;
    onclose: Socket['onclose'] = null;
    onerror: Socket['onerror'] = null;
    constructor() {
      socket = this;
      queueMicrotask(() => this.onopen?.({} as never));
    }
    send(): void {
      const me = { ...userOf(0), unread_count: 0, unread_channels: 0, unread_threads: 0, mutes: [] };
      const hello = { type: 'health.check', connection_id: 'c', me, created_at: timeOf(0) };
      queueMicrotask(() => hear(JSON.stringify(hello)));
    }
    close(): void {}
  }
  const hear: Hear = (data) => socket?.onmessage?.({ data } as never);
  const fetch = async (url: string): Promise<Response> => {
    const room = /room-(\d+)/.exec(url)?.[1];
    return Response.json(room === undefined ? {} : stateOf(Number(room), members));
  };
  const environment = { fetch, WebSocket: OwnSocket };
  const client = createClient({ apiKey: 'bench', baseUrl: 'http://bench.invalid/api', environment });
  await client.connectUser({ id: ownId }, 'token');
  for (let n = 0; n < channels; n += 1) await client.channels.open('messaging', `room-${n}`);
  return { client, hear };
};

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Frames arrive in bursts, as from a socket; listeners are told between them. Milliseconds of work. */
const feed = async (frames: readonly string[], hear: (frame: string) => void): Promise<number> => {
  let spent = 0;
  for (let from = 0; from < frames.length; from += perTick) {
    const began = performance.now();
    for (const frame of frames.slice(from, from + perTick)) hear(frame);
    await Promise.resolve();
    await Promise.resolve();
    spent += performance.now() - began;
    await nextTick();
  }
  return spent;
};

const parseAlone = async (frames: readonly string[]): Promise<number> => {
  let parsed = 0;
  const spent = await feed(frames, (frame) => {
    if ((JSON.parse(frame) as { type: string }).type === 'message.new') parsed += 1;
  });
  if (parsed !== frames.length) throw new Error('A frame is not an event');
  return spent;
};

const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
};

const perSecond = (ms: number): number => Math.round((perRound / ms) * 1000);

type Round = { client: number[]; parse: number[] };

const runOnce = async (members: number, collect: () => void) => {
  const { client, hear } = await connect(members);
  let told = 0;
  const stops = client.channels.active.get().map((cid) => {
    const state = client.channels.state(cid);
    return state.subscribe(() => {
      told += state.get()?.messages.length ?? 0;
    });
  });
  const result: Round = { client: [], parse: [] };
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < rounds; round += 1) {
    const frames = framesOf(members, round);
    result.parse.push(await parseAlone(frames));
    result.client.push(await feed(frames, hear));
  }
  collect();
  const states = client.channels.active.get().map((cid) => client.channels.state(cid).get());
  const messages = states.reduce((sum, state) => sum + (state?.messages.length ?? 0), 0);
  const bytes = (process.memoryUsage().heapUsed - before) / messages;
  const isComplete = states.every((state) => state?.seq === (perRound * rounds) / channels);
  if (!isComplete || told === 0) throw new Error('The client did not take every event');
  for (const stop of stops) stop();
  await client.disconnect();
  return { ...result, bytes, messages };
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { members: { type: 'string', default: '10' } } });
  const members = Math.max(2, Number(values.members));
  const collect = collector();
  const runs: Awaited<ReturnType<typeof runOnce>>[] = [];
  for (let run = 0; run < repeats; run += 1) runs.push(await runOnce(members, collect));
  console.log(`${channels} channels of ${members} members, one subscriber each; median of ${repeats} runs`);
  for (let round = 0; round < rounds; round += 1) {
    const client = median(runs.map((run) => run.client[round] ?? 0));
    const parse = median(runs.map((run) => run.parse[round] ?? 0));
    const figures = `${perSecond(client)} events/s, JSON.parse alone ${perSecond(parse)}/s`;
    console.log(
      `events ${round * perRound + 1}–${(round + 1) * perRound}: ${figures}, ratio ${(parse / client).toFixed(2)}`,
    );
  }
  const last = runs.at(-1);
  console.log(
    `heap: ${Math.round(median(runs.map(({ bytes }) => bytes)))} bytes a message (${last?.messages} kept)`,
  );
};

await main();
