import { expect, test, vi } from 'vitest';
import type { StoredEvent } from '../bus/bus.ts';
import { ChannelOrder } from './channel-order.ts';

const cid = 'team:a';
const eventOf = (seq: number, type = 'message.new'): StoredEvent => ({
  kind: 'channel',
  cid,
  type,
  seq,
  json: `{"type":"${type}","seq":${seq}}`,
});

/** A log with this many events, of which the server has published those until now. */
const createScene = async (length: number) => {
  const published: number[] = [];
  const timers: (() => void)[] = [];
  const log = Array.from({ length }, (_, at) => eventOf(at + 1));
  const reads: number[] = [];
  let isGone = false;
  const order = new ChannelOrder({
    clock: {
      now: () => 0,
      elapsed: () => 0,
      setTimeout: (run) => {
        timers.push(run);
        return { stop: () => void timers.splice(timers.indexOf(run), 1) };
      },
    },
    publish: ({ seq }) => void published.push(seq),
    readSeqs: async (cids) => new Map(cids.map((one) => [one, log.length])),
    readAfter: async (_cid, seq) => {
      reads.push(seq);
      return isGone ? undefined : log.slice(seq);
    },
    onError: (error) => {
      throw error;
    },
  });
  await order.begin([cid]);
  const store = (type?: string): StoredEvent => {
    const event = eventOf(log.length + 1, type);
    log.push(event);
    return event;
  };
  /** The times that are waited for pass. */
  const pass = async (): Promise<void> => {
    for (const run of timers.splice(0)) run();
    await vi.waitFor(() => expect(timers).toEqual([]));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    order,
    published,
    reads,
    store,
    pass,
    loseLog: () => {
      isGone = true;
    },
    timers,
  };
};

const take = (order: ChannelOrder, event: StoredEvent) => order.take({ cid, seq: event.seq, event });

test('W4 events in order are published at once, and without a look at the log', async () => {
  const { order, published, store, reads } = await createScene(5);

  for (let n = 0; n < 3; n++) take(order, store());

  expect(published).toEqual([6, 7, 8]);
  expect(reads).toEqual([]);
});

test('W4 an event that comes twice is published once', async () => {
  const { order, published, store } = await createScene(5);
  const event = store();

  take(order, event);
  take(order, event);

  expect(published).toEqual([6]);
});

test('W4 events that crossed on the way are put in order without a look at the log', async () => {
  const { order, published, store, reads, pass } = await createScene(0);
  const [first, second] = [store(), store()];

  take(order, second);
  take(order, first);
  await pass();

  expect(published).toEqual([1, 2]);
  expect(reads).toEqual([]);
});

test('W4 an event that never comes is read from the log, and those after it wait for it', async () => {
  const { order, published, store, pass } = await createScene(2);
  store();
  const last = store();
  take(order, last);
  expect(published).toEqual([]);

  await pass();

  expect(published).toEqual([3, 4]);
  expect(order.counts).toEqual({ healed: 1, lost: 0 });
});

test('W4 a number without its event is read from the log', async () => {
  const { order, published, store } = await createScene(2);
  store();
  order.take({ cid, seq: 3 });

  await vi.waitFor(() => expect(published).toEqual([3]));
});

test('W4 a comparison finds events that no text announced', async () => {
  const { order, published, store, pass } = await createScene(1);
  store();
  store();

  await order.compare();
  await pass();

  expect(published).toEqual([2, 3]);
});

test('W4 where the log no longer reaches back, what came is published: clients see the hole and ask', async () => {
  const { order, published, store, pass, loseLog } = await createScene(1);
  store();
  const last = store();
  take(order, last);
  loseLog();

  await pass();

  expect(published).toEqual([3]);
  expect(order.counts.lost).toBe(1);
});

test('W4 a channel that is made anew under the id of a deleted one begins with its own numbers', async () => {
  const { order, published, store } = await createScene(3);
  take(order, store('channel.deleted'));
  take(order, eventOf(1));

  await vi.waitFor(() => expect(published).toEqual([4, 1]));
});

test('W4 a channel that nobody follows any more is published no longer', async () => {
  const { order, published, store } = await createScene(0);
  order.end(cid);

  take(order, store());

  expect(published).toEqual([]);
  expect(order.size).toBe(0);
});
