import { expect, test } from 'vitest';
import { createBatch } from '../readable.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { createGap } from './gap.ts';
import type { ConfirmedChannel } from './state.ts';
import { createStore } from './store.ts';

const cid = 'messaging:room';
const state = { cid } as ConfirmedChannel;
const settle = () => new Promise((resolve) => setImmediate(resolve));

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
