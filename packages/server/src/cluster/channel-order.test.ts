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
  const asked: string[][] = [];
  let logId = 'first';
  let isAway = false;
  let log = Array.from({ length }, (_, at) => eventOf(at + 1));
  const reads: number[] = [];
  let isGone = false;
  let isUnreadable = false;
  let isRemoved = false;
  const notices: string[] = [];
  const errors: unknown[] = [];
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
    readEnds: async (cids) => {
      asked.push(cids);
      if (isAway) throw new Error('away');
      if (isRemoved) return new Map();
      return new Map(cids.map((one) => [one, { logId, seq: log.length }]));
    },
    readAfter: async (_cid, seq) => {
      reads.push(seq);
      if (isUnreadable || isAway) throw new Error('cannot be read');
      return isGone || isRemoved ? undefined : log.slice(seq);
    },
    onDeleted: (gone) => void notices.push(`${gone} deleted`),
    onBroken: (broken) => void notices.push(`${broken} broken`),
    onHealed: () => undefined,
    onError: (error) => void errors.push(error),
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
    asked,
    store,
    pass,
    /** The channel is removed, and another is made under its id. */
    makeAnew: () => {
      log = [];
      logId = 'second';
    },
    setAway: (given: boolean) => {
      isAway = given;
    },
    /** The channel is removed for good. */
    remove: () => {
      isRemoved = true;
    },
    setUnreadable: (given: boolean) => {
      isUnreadable = given;
    },
    notices,
    errors,
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

test('W4 where the log no longer reaches back, what came is published, and connections read the channel anew', async () => {
  const { order, published, store, pass, loseLog, notices } = await createScene(1);
  store();
  const last = store();
  take(order, last);
  loseLog();

  await pass();

  expect(published).toEqual([3]);
  expect(order.counts.lost).toBe(1);
  await vi.waitFor(() => expect(notices).toEqual([`${cid} broken`]));
});

test('W4 a channel that is made anew under the id of a deleted one begins with its own numbers', async () => {
  const { order, published, store, makeAnew } = await createScene(3);
  take(order, store('channel.deleted'));
  makeAnew();
  take(order, store());

  await vi.waitFor(() => expect(published).toEqual([4, 1]));
});

test('W4 the same a while after the deletion, and whatever signs of life say of the log before', async () => {
  const { order, published, store, makeAnew, pass, reads } = await createScene(3);
  take(order, store('channel.deleted'));
  order.take({ cid, seq: 4 });
  await pass();
  await order.compare();
  makeAnew();
  for (let n = 0; n < 2; n++) take(order, store());
  await vi.waitFor(() => expect(published).toEqual([4, 1, 2]));
  order.take({ cid, seq: 4 });
  await pass();
  await pass();

  take(order, store());
  expect(published).toEqual([4, 1, 2, 3]);
  expect(reads).toEqual([2]);
});

test('W4 a channel that was made anew unseen is found by a comparison', async () => {
  const { order, published, store, makeAnew, pass } = await createScene(3);
  take(order, store('channel.deleted'));
  makeAnew();
  store();
  store();

  await order.compare();
  await pass();

  expect(published).toEqual([4, 1, 2]);
});

test('W4 an event that was stored here before the order began is published, one of elsewhere is not', async () => {
  const { order, published } = await createScene(5);

  order.take({ cid, seq: 4, event: eventOf(4) });
  order.take({ cid, seq: 5, event: eventOf(5), isOwn: true });

  expect(published).toEqual([5]);
});

test('W4 a channel that nobody follows any more is not asked for again while the database is away', async () => {
  const { order, asked, setAway, pass } = await createScene(0);
  setAway(true);
  const begun = order.begin(['team:b']);
  await new Promise((resolve) => setImmediate(resolve));
  order.end('team:b');

  await pass();
  await begun;

  expect(asked).toEqual([[cid], ['team:b']]);
});

test('W4 events begin a channel while the database is away, and the log is asked for nothing else', async () => {
  const { order, asked, published, setAway, pass } = await createScene(0);
  setAway(true);
  const begun = order.begin(['team:b']);
  await new Promise((resolve) => setImmediate(resolve));
  order.beginAfter('team:b', 7);
  order.take({ cid: 'team:b', seq: 8, event: { ...eventOf(8), cid: 'team:b' } });
  setAway(false);

  await pass();
  await begun;

  expect(published).toEqual([8]);
  expect(asked.every((cids) => cids.length > 0)).toBe(true);
});

test('W4 a channel that nobody follows any more is published no longer', async () => {
  const { order, published, store } = await createScene(0);
  order.end(cid);

  take(order, store());

  expect(published).toEqual([]);
  expect(order.size).toBe(0);
});

test('W4 a channel that was deleted for good while texts were lost ends for connections, once', async () => {
  const { order, remove, notices, published } = await createScene(3);
  remove();

  await order.compare();
  await order.compare();
  take(order, eventOf(4, 'channel.deleted'));
  await new Promise((resolve) => setImmediate(resolve));

  expect(notices).toEqual([`${cid} deleted`]);
  expect(published).toEqual([]);
});

test('W4 the same where a sign of life names a number of the log that is gone', async () => {
  const { order, remove, notices, pass } = await createScene(3);
  remove();
  order.take({ cid, seq: 4 });
  await pass();

  await vi.waitFor(() => expect(notices).toEqual([`${cid} deleted`]));
});

test('W4 an event that cannot be read is left out after some tries, the channel goes on and is read anew', async () => {
  const { order, published, store, pass, setUnreadable, notices, errors } = await createScene(2);
  setUnreadable(true);
  store();
  order.take({ cid, seq: 3 });
  await vi.waitFor(async () => {
    await pass();
    expect(notices).toEqual([`${cid} broken`]);
  });
  expect(errors.map(String).at(-1)).toContain(`The log of ${cid} could not be read after 2`);
  expect(errors.length).toBeLessThan(20);

  take(order, store());
  expect(published).toEqual([4]);
});

test('W4 nothing is left out while the database is away, however long that takes', async () => {
  const { order, published, store, pass, setAway, notices } = await createScene(2);
  setAway(true);
  store();
  order.take({ cid, seq: 3 });
  for (let tries = 0; tries < 30; tries++) await pass();
  expect(notices).toEqual([]);
  setAway(false);
  await vi.waitFor(async () => {
    await pass();
    expect(published).toEqual([3]);
  });
});
