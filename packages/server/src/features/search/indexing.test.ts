import { afterEach, expect, test } from 'vitest';
import { createLocalBus } from '../../bus/bus.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createHandClock } from '../../work/testing/hand-clock.ts';
import { type Indexing, startIndexing } from './indexing.ts';

let indexing: Indexing | undefined;
afterEach(() => indexing?.stop());

/** Indexing over a database whose batches are empty, with the times in seconds at which it took one. */
const start = async (findOldest: () => number | undefined = () => undefined) => {
  const hand = createHandClock();
  const runs: number[] = [];
  const began = hand.clock.elapsed();
  const seconds = () => (hand.clock.elapsed() - began) / 1000;
  const client = {
    query: async (statement: string) => {
      if (statement.includes('delete from search_queue')) runs.push(seconds());
      return { rows: [] };
    },
    release: () => undefined,
  };
  const bus = createLocalBus((error) => {
    throw error;
  });
  const read = async () => [findOldest()].flatMap((id) => (id === undefined ? [] : [{ id }]));
  const kernel = { clock: hand.clock, bus, pools: { pool: { connect: async () => client }, read } };
  indexing = startIndexing(kernel as unknown as Kernel);
  await hand.advance(0);
  runs.length = 0;
  const say = () => bus.publish({ kind: 'channel', cid: 'messaging:team', type: 'message.new', json: '{}' });
  return { ...hand, runs, say };
};

test('messages are indexed together, a second after the last of them', async () => {
  const { say, advance, runs } = await start();

  for (let count = 0; count < 4; count++) {
    say();
    await advance(500);
  }
  expect(runs).toEqual([]);
  await advance(1000);

  expect(runs).toEqual([2.5]);
});

test('where no pause comes, the first message waits five seconds', async () => {
  const { say, advance, runs } = await start();

  for (let count = 0; count < 21; count++) {
    say();
    await advance(500);
  }

  expect(runs).toEqual([5, 10]);
});

test('without messages it indexes those of others that still wait after five seconds', async () => {
  const { advance, runs } = await start(() => 7);

  await advance(11_000);

  expect(runs).toEqual([10]);
});

test('messages that another server indexes itself are left to it', async () => {
  let oldest = 0;
  const { advance, runs } = await start(() => ++oldest);

  await advance(31_000);

  expect(runs).toEqual([]);
});
