/** How fast a client takes events in, and what it keeps. A process of its own, answered over the IPC channel. */

import { parseArgs } from 'node:util';
import { createClient, type ParleyClient, type Socket } from '@parley/client';
import { channels, type Frames, framesOf, stateOf, timeOf, userOf } from './ingest-world.ts';
import type { IngestResult } from './jobs.ts';

const perRound = 20_000;
const perTick = 100;

type Receive = (frame: string) => void;

/** A client whose socket and server are in this process: what is measured is the client alone. */
const connect = async (
  members: number,
  hasHistory: boolean,
): Promise<{ client: ParleyClient; receive: Receive }> => {
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
      queueMicrotask(() => receive(JSON.stringify(hello)));
    }
    close(): void {}
  }
  const receive: Receive = (data) => socket?.onmessage?.({ data } as never);
  const fetch = async (url: string): Promise<Response> => {
    const room = /room-(\d+)/.exec(url)?.[1];
    return Response.json(room === undefined ? {} : stateOf(Number(room), members, hasHistory));
  };
  const environment = { fetch, WebSocket: OwnSocket };
  const client = createClient({ apiKey: 'bench', baseUrl: 'http://bench.invalid/api', environment });
  await client.connectUser({ id: userOf(0).id }, 'token');
  for (let n = 0; n < channels; n += 1) await client.channels.open('messaging', `room-${n}`);
  return { client, receive };
};

const gc = (globalThis as { gc?: (options: Record<string, string>) => void }).gc;

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Frames arrive in bursts, as from a socket; subscribers are called between them. Milliseconds of work. */
const feed = async (frames: Frames, receive: Receive): Promise<number> => {
  // Young garbage is collected first: otherwise the next measurement would pay for it, by chance.
  gc?.({ type: 'minor', execution: 'sync' });
  let spent = 0;
  for (let from = 0; from < frames.count; from += perTick) {
    const burst = Array.from({ length: perTick }, (_, index) => frames.read(from + index));
    const began = performance.now();
    for (const frame of burst) receive(frame);
    await Promise.resolve();
    await Promise.resolve();
    spent += performance.now() - began;
    await nextTick();
  }
  return spent;
};

const parseAlone = async (frames: Frames): Promise<number> => {
  let parsed = 0;
  const spent = await feed(frames, (frame) => {
    if ((JSON.parse(frame) as { type: string }).type === 'message.new') parsed += 1;
  });
  if (parsed !== frames.count) throw new Error('A frame is not an event');
  return spent;
};

/** Bytes of heap in use when all garbage is gone. */
const heap = async (): Promise<number> => {
  if (!gc) throw new Error('Without --expose-gc the heap cannot be measured');
  await nextTick();
  for (let round = 0; round < 3; round += 1) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return process.memoryUsage().heapUsed;
};

/** The heap of the same messages when their parsed frames are kept as they are. */
const heapOfParsed = async (frames: Frames): Promise<number> => {
  const before = await heap();
  const parse = (_: unknown, index: number) =>
    (JSON.parse(frames.read(index)) as { message: unknown }).message;
  const kept = Array.from({ length: frames.count }, parse);
  return ((await heap()) - before) / kept.length;
};

/** A client with one subscriber on each channel. */
const subscribed = async (members: number, hasHistory: boolean) => {
  const { client, receive } = await connect(members, hasHistory);
  const states = client.channels.active.get().map((cid) => client.channels.state(cid));
  let seen = 0;
  for (const state of states)
    state.subscribe(() => {
      seen += state.get()?.messages.length ?? 0;
    });
  /** How many messages it holds, once it has taken `events`; fails where it did not. */
  const held = (events: number): number => {
    if (seen === 0) throw new Error('The subscribers were not called');
    const ids = states.flatMap((state) => {
      const { seq, messages = [] } = state.get() ?? {};
      if (seq !== events / channels) throw new Error('The client did not take every event');
      return messages.map(({ id }) => id);
    });
    return new Set(ids).size;
  };
  return { receive, held, stop: client.disconnect };
};

type Speeds = { parse: number[]; client: number[] };

/** Measures an app that was opened: every channel has its last page. */
const measureSpeed = async (members: number, rounds: readonly Frames[]): Promise<Speeds> => {
  const { receive, held, stop } = await subscribed(members, true);
  const speeds: Speeds = { parse: [], client: [] };
  for (const frames of rounds) {
    speeds.parse.push(perSecond(await parseAlone(frames)));
    speeds.client.push(perSecond(await feed(frames, receive)));
  }
  held(perRound * rounds.length);
  await stop();
  return speeds;
};

/** Measures from empty channels: all that is held was taken in. */
const measureHeap = async (members: number, rounds: readonly Frames[]) => {
  const { receive, held, stop } = await subscribed(members, false);
  const before = await heap();
  for (const frames of rounds) await feed(frames, receive);
  const grown = (await heap()) - before;
  const count = held(perRound * rounds.length);
  await stop();
  return { bytes: grown / count, held: count };
};

const perSecond = (ms: number): number => (perRound / ms) * 1000;

const measure = async (members: number, count: number): Promise<IngestResult> => {
  const rounds = [0, perRound].map((from) => framesOf(members, from, perRound));
  // The first client warms the compiler up: cold, its first round would be slow and the second look quick.
  await measureSpeed(members, rounds);
  const runs: Speeds[] = [];
  for (let run = 0; run < count; run += 1) runs.push(await measureSpeed(members, rounds));
  const speeds = (kind: keyof Speeds, round: number) => runs.map((run) => run[kind][round] ?? 0);
  return {
    channels,
    members,
    perRound,
    client: [speeds('client', 0), speeds('client', 1)],
    parse: [speeds('parse', 0), speeds('parse', 1)],
    ...(await measureHeap(members, rounds)),
    parsedBytes: await heapOfParsed(framesOf(members, 0, perRound)),
  };
};

// A runner that was killed must not leave its client behind.
process.once('disconnect', () => process.exit());
const { values } = parseArgs({
  options: { members: { type: 'string', default: '10' }, runs: { type: 'string', default: '5' } },
});
const ingest = await measure(Math.max(2, Number(values.members)), Number(values.runs));
if (process.send) process.send({ ingest });
else console.log(ingest);
