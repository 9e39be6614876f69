import { expect, test } from 'vitest';
import { createBatch } from '../readable.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { createGap } from './gap.ts';
import type { ConfirmedChannel } from './state.ts';
import { createStore } from './store.ts';

const cid = 'messaging:room';
const state = { cid } as ConfirmedChannel;
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('S27 a channel that was left while it was queried anew does not slow the retries of others', async () => {
  const [left, other] = ['messaging:left', 'messaging:other'];
  const store = createStore(createBatch());
  const clock = createHandClock();
  const asked: string[][] = [];
  let isDown = false;
  const gap = createGap({
    store,
    deliver: () => undefined,
    fill: async (cursors) => {
      asked.push(Object.keys(cursors));
      if (isDown) throw new Error('down');
      return { events: [], resync: left in cursors ? [left] : [] };
    },
    resync: async () => {
      store.remove(left);
      throw new Error('down');
    },
    clock,
    random: () => 1,
  });
  for (const one of [left, other])
    gap.reset(one, { cid: one } as ConfirmedChannel, { seq: 5, log_id: 'log' });
  const advance = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1000);
      await settle();
    }
  };

  await gap.catchUp([left]).catch(() => undefined);
  await advance(60);
  // Each outage begins with the shortest pause again, however many there were.
  for (let outage = 0; outage < 6; outage += 1) {
    isDown = true;
    await gap.catchUp([other]).catch(() => undefined);
    isDown = false;
    await advance(5);
  }

  expect(asked.slice(1).map(String)).toEqual(Array.from({ length: 12 }, () => other));
});

test('S27 a server that never has what is missing is not asked without end', async () => {
  const store = createStore(createBatch());
  let calls = 0;
  const clock = createHandClock();
  const gap = createGap({
    store,
    deliver: () => undefined,
    fill: async () => {
      calls += 1;
      return { events: [], resync: [cid] };
    },
    resync: async () => {
      calls += 1;
      gap.reset(cid, { ...state }, { seq: 3, log_id: 'log' });
      gap.receive({ type: 'channel.updated', cid, seq: 9, created_at: 'x' } as never);
    },
    clock,
    random: () => 0,
  });
  gap.reset(cid, state, { seq: 5, log_id: 'log' });

  gap.receive({ type: 'channel.updated', cid, seq: 8, created_at: 'x' } as never);
  await settle();

  expect(store.find(cid)?.seq).toBe(3);
  expect(calls).toBeLessThan(6);

  // Ten minutes: the pauses grow to 25 s, and each ends in at most three calls.
  for (let second = 0; second < 600; second += 1) {
    clock.advance(1000);
    await settle();
  }
  expect(calls).toBeLessThan(300);
});
