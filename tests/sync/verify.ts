/** The law of sync: an old snapshot and its events are the same as a fresh snapshot. docs/sync.md, S1. */
import type { ChannelState, ParleyClient } from '@parley/client';
import type { LogEventType } from '@parley/protocol';
import { type FrameFault, type TestClient, until } from '@parley/testkit';
import { beforeAll, expect, test, vi } from 'vitest';
import { closeClient, connectObserver, createScene, type Scene, setUpWorld, type World } from './scene.ts';

/** The case that holds the law for each type of the log; table.test.ts keeps it complete and true. */
export const lawTests: Record<LogEventType, string> = {
  'message.new': 'S12 message.new: a message of another',
  'message.updated': 'S13 message.updated: an edit',
  'message.deleted': 'S14 message.deleted: softly',
  'message.undeleted': 'S14 message.undeleted: back as it was',
  'reaction.new': 'S15 reaction.new: of another',
  'reaction.updated': 'S15 reaction.updated: a new score of another',
  'reaction.deleted': 'S15 reaction.deleted: of another',
  'poll.updated': 'S21 poll.updated: an option goes with its votes, and one comes',
  'poll.closed': 'S21 poll.closed: by its creator',
  'poll.deleted': 'S21 poll.deleted: its message stays',
  'poll.vote_casted': 'S21 poll.vote_casted: of another',
  'poll.vote_changed': 'S21 poll.vote_changed: own and of another, in a poll of one vote',
  'poll.vote_removed': 'S21 poll.vote_removed: own',
  'live_location_sharing.started': 'S25 live_location_sharing.started: of another',
  'live_location_sharing.updated': 'S25 live_location_sharing.updated: others move, one of them twice',
  'live_location_sharing.stopped': 'S25 live_location_sharing.stopped: by who shares it',
  'message.read': 'S11 message.read: another reads all',
  'message.delivered': 'S11 message.delivered: to another',
  'channel.updated': 'S17 channel.updated: name and custom data',
  'channel.deleted': 'S7 channel.deleted: softly',
  'channel.truncated': 'S18 channel.truncated: all messages go',
  'member.added': 'S19 member.added: another',
  'member.updated': 'S19 member.updated: custom data of another',
  'member.removed': 'S19 member.removed: another',
  'thread.updated': 'S13 thread.updated: a title',
};

/** The ways by which events reach an observer. */
const paths = ['live', 'offline', 'duplicated', 'reordered', 'dropped'] as const;
type Path = (typeof paths)[number];
export type Observers = Record<Path, TestClient>;

export type Law = {
  arrange?(scene: Scene): Promise<unknown>;
  /** `here` is the client that is notified of it live. */
  act(scene: Scene, here: ParleyClient): Promise<unknown>;
  /** Types that the act must have written to the log. */
  writes: LogEventType[];
  /** The observers may no longer see the channel afterwards. */
  isGone?: boolean;
  /** Threads that every client opens, by the parent's id. */
  threads?(scene: Scene): string[];
  channelType?: string;
};

/** State that may differ between two clients of one user, whatever the log says: docs/sync.md, S20. */
const passing = new Set([
  // The same as `read`, in the order in which the marks came.
  'marks',
  ...['online', 'last_active', 'watcherCount', 'watchers', 'typing', 'threadTyping'],
  ...['readCounts'],
]);

const withoutPassing = (value: unknown): unknown => {
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value)) return value.map(withoutPassing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !passing.has(key))
      .map(([key, part]) => [key, withoutPassing(part)]),
  );
};

/** Where marks are counts, those of others are not published and do not change. */
const comparable = (state: ChannelState | undefined): unknown => {
  if (!state?.channel.fidelity) return withoutPassing(state);
  const { [state.ownId]: own } = state.read;
  return withoutPassing({ ...state, read: { [state.ownId]: own } });
};

export const stateOf = ({ client }: TestClient, cid: string): ChannelState | undefined =>
  client.channels.state(cid).get();

export const serverSeq = async ({ server, type, id }: Scene): Promise<number> => {
  const reply = await server.caller.call('POST /channels/{type}/{id}/query', {
    path: { type, id },
    query: { user_id: 'zed' },
    body: { state: false },
  });
  return reply.seq;
};

/** The log after `from`; fails where a number is missing or twice. */
export const readLog = async ({ zed, cid }: Scene, from: number): Promise<string[]> => {
  const reply = await zed.caller.call('POST /sync', { body: { cursors: { [cid]: from } } });
  const events = reply.events as { type: string; seq: number }[];
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => from + index + 1));
  return events.map(({ type }) => type);
};

const isLogFrame = (json: string): boolean => /^\{"type":"[^"]+","seq":/.test(json);

const frameFaults = (path: Path): ((json: string) => FrameFault | undefined) => {
  let count = 0;
  return (json) => {
    if (!isLogFrame(json)) return undefined;
    count += 1;
    if (path === 'duplicated') return 'duplicate';
    if (path === 'dropped') return 'drop';
    return { delayMs: Math.max(0, 40 - 10 * count) };
  };
};
const longestDelay = 50;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Ends with the reconnect that follows `run` being complete. */
export const untilRecovered = async ({ client }: TestClient, run: () => void): Promise<void> => {
  let isRecovered = false;
  const stop = client.on('connection.recovered', () => {
    isRecovered = true;
  });
  run();
  await until(() => isRecovered, 'the recovery');
  stop();
};

const faulty = ['duplicated', 'reordered', 'dropped'] as const;

/** Lets the act happen while each observer is notified of it by its own path. */
const perform = async (law: Law, scene: Scene, observers: Observers): Promise<void> => {
  for (const path of faulty) observers[path].faults.onFrame(frameFaults(path));
  observers.offline.faults.goOffline();
  await law.act(scene, observers.live.client);
  await Promise.all([
    untilRecovered(observers.offline, observers.offline.faults.restore),
    pause(longestDelay),
  ]);
  for (const path of faulty) observers[path].faults.onFrame(undefined);
};

export const openFully = async ({ client }: TestClient, scene: Scene, threads: string[] = []) => {
  await client.channels.open(scene.type, scene.id);
  for (const parentId of threads) await client.messages.replies.open(scene.cid, parentId);
};

const untilSeq = (observer: TestClient, cid: string, seq: number): Promise<true> =>
  until(() => stateOf(observer, cid)?.seq === seq, `seq ${seq} at the observer`);

/** The state of a client that starts fresh. */
const freshState = async (scene: Scene, threads: string[] = []): Promise<ChannelState | undefined> => {
  const fresh = await connectObserver(scene.world);
  try {
    await openFully(fresh, scene, threads);
    return stateOf(fresh, scene.cid);
  } finally {
    await closeClient(fresh);
  }
};

/** Where two states differ, a line each: a history that failed once may not fail again. */
const differences = (seen: unknown, expected: unknown, path = ''): string[] => {
  if (typeof seen !== 'object' || typeof expected !== 'object' || !seen || !expected)
    return seen === expected ? [] : [`${path}: ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`];
  const [one, other] = [seen as Record<string, unknown>, expected as Record<string, unknown>];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}/${key}`));
};

/** Waits until the states are equal: at once for what events say, a moment later for what a client must ask for (S17). */
const untilEqual = (observer: TestClient, cid: string, expected: unknown, what = 'the observer') =>
  vi.waitFor(
    () => {
      const seen = comparable(stateOf(observer, cid));
      const found = differences(seen, expected);
      expect(seen, `${what} differs: ${found.slice(0, 20).join('; ')}`).toEqual(expected);
    },
    { interval: 10 },
  );

/** Waits for the observer to reach the end of the log, then holds it against a fresh client. */
export const verifyLaw = async (scene: Scene, observer: TestClient): Promise<void> => {
  await untilSeq(observer, scene.cid, await serverSeq(scene));
  const fresh = await freshState(scene);
  await untilEqual(observer, scene.cid, comparable(fresh));
};

const verifyAll = async (scene: Scene, observers: Observers, threads: string[]): Promise<void> => {
  const seq = await serverSeq(scene);
  const fresh = comparable(await freshState(scene, threads));
  for (const path of paths) {
    if (path === 'dropped') continue;
    await untilSeq(observers[path], scene.cid, seq);
    await untilEqual(observers[path], scene.cid, fresh, path);
  }
  // A lost event shows as a hole at the next one. The server makes it: members may not in a frozen channel.
  await scene.server.patchMember({ closing: true }, 'zed');
  await untilSeq(observers.live, scene.cid, seq + 1);
  await untilSeq(observers.dropped, scene.cid, seq + 1);
  await untilEqual(observers.dropped, scene.cid, comparable(stateOf(observers.live, scene.cid)), 'dropped');
};

const verifyGone = async (scene: Scene, observers: Observers): Promise<void> => {
  // Of a channel that is gone there is no next event: the loss shows at the next connection.
  await untilRecovered(observers.dropped, observers.dropped.faults.cutSockets);
  for (const path of paths) {
    await until(() => stateOf(observers[path], scene.cid) === undefined, `it to leave (${path})`);
    expect(observers[path].client.channels.active.get()).not.toContain(scene.cid);
  }
};

const runCase = async (world: World, observers: Observers, law: Law): Promise<void> => {
  const scene = await createScene(world, law.channelType);
  await law.arrange?.(scene);
  const received: string[] = [];
  const stop = observers.live.client.on('all', ({ type }) => received.push(type));
  const threads = law.threads?.(scene) ?? [];
  try {
    await Promise.all(paths.map((path) => openFully(observers[path], scene, threads)));
    const from = await serverSeq(scene);
    await perform(law, scene, observers);
    if (law.isGone) await verifyGone(scene, observers);
    else await verifyAll(scene, observers, threads);
    expect(law.isGone ? received : await readLog(scene, from)).toEqual(expect.arrayContaining(law.writes));
  } finally {
    stop();
    for (const path of paths)
      await observers[path].client.channels.stopWatching(scene.cid).catch(() => undefined);
  }
};

/** Sets up the cases of one file: a server, and a client of the same person for each path. */
export const setUpLaw = (): ((title: string, law: Law) => void) => {
  const world = setUpWorld();
  let observers: Observers | undefined;
  beforeAll(async () => {
    const made = await Promise.all(paths.map(async (path) => [path, await connectObserver(world())]));
    observers = Object.fromEntries(made) as Observers;
  });
  return (title, law) =>
    void test(title, async () => {
      if (observers) await runCase(world(), observers, law);
    });
};
